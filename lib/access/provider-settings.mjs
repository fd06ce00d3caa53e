// The OpenID provider of the environment. Plain JavaScript: programs read it before anything is built.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const ROLE_CLAIM = /^(?!\/)[\x21-\x7e]{1,200}$|^(?:\/(?:[^/~]|~[01])+){1,8}$/;

/**
 * Whether an address of the provider can be trusted to be the provider: https, or this machine itself.
 * @param {string} address
 */
export function isTrustedAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/**
 * What is wrong with the provider's settings; nothing when there are none at all.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function complainAboutProvider(env) {
  const { OIDC_ISSUER: issuer, OIDC_ROLE_CLAIM: roleClaim } = env;
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];
  const missing = needed.filter((name) => !env[name]);
  if (missing.length === needed.length && !roleClaim) return [];
  const complaints = missing.map(
    (name) =>
      `${name} is not set, though other OIDC settings are: give all of ${needed.join(', ')}, or none.`,
  );
  if (issuer && !isTrustedAddress(issuer)) {
    complaints.push(`OIDC_ISSUER must be an https address (http only on this machine), not ${issuer}`);
  } else if (issuer && /[?#]/.test(issuer)) {
    complaints.push('OIDC_ISSUER must be the issuer itself, without ? or #.');
  }
  if (roleClaim && !ROLE_CLAIM.test(roleClaim)) {
    complaints.push(
      'OIDC_ROLE_CLAIM must be the name of a claim, or a JSON pointer such as /realm_access/roles.',
    );
  }
  return complaints;
}

/**
 * The provider that people sign in with; null when none is configured.
 * @param {Record<string, string | undefined>} [env]
 */
export function providerSettings(env = process.env) {
  const [complaint] = complainAboutProvider(env);
  if (complaint !== undefined) throw new Error(complaint);
  if (!env.OIDC_ISSUER) return null;
  return {
    issuer: env.OIDC_ISSUER,
    clientId: String(env.OIDC_CLIENT_ID),
    clientSecret: String(env.OIDC_CLIENT_SECRET),
    /** Where a token names our roles; null: the provider gives none. */
    roleClaim: env.OIDC_ROLE_CLAIM || null,
    /** As people know it. */
    name: new URL(env.OIDC_ISSUER).host,
  };
}

/** @typedef {NonNullable<ReturnType<typeof providerSettings>>} ProviderSettings */
