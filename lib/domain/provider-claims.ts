import { ROLES, type Role } from './actor';
import { vouchedEmail } from './email-identity';
import { readPointer } from './json-pointer';

/** What a provider said about whoever signed in there. */
export interface ProviderClaims {
  /** As OpenID has it: 1 to 255 visible ASCII characters. Anything else names nobody, and is made a name by nobody. */
  readonly subject: string;
  /** The canonical address, if the provider says that it checked it and it is written plainly; else null. */
  readonly email: string | null;
  /** When they showed the provider who they are; seconds since 1970, null when it does not say. */
  readonly authTime: number | null;
  readonly roles: readonly Role[];
}

const SUBJECT = /^[\x21-\x7e]{1,255}$/;

type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the claims of a checked token; null when it names nobody. What it leaves out is taken from the provider's answer about the same subject, but
 * never when they signed in: only the token is about this sign-in.
 * @param roleClaim the claim that names our roles, or a JSON pointer to it; null: no roles from the provider
 */
export function readProviderClaims(
  token: Claims,
  answer: Claims,
  roleClaim: string | null,
): ProviderClaims | null {
  const subject = own(token, 'sub');
  if (typeof subject !== 'string' || !SUBJECT.test(subject)) return null;
  const about = own(token, 'email') === undefined ? answer : token;
  const time = own(token, 'auth_time');
  const roles = roleClaim === null ? [] : (at(token, roleClaim) ?? at(answer, roleClaim));
  return {
    subject,
    email: own(about, 'email_verified') === true ? vouchedEmail(own(about, 'email')) : null,
    authTime: typeof time === 'number' && Number.isFinite(time) ? time : null,
    roles: ROLES.filter((role) => (Array.isArray(roles) ? roles.includes(role) : roles === role)),
  };
}

function at(claims: Claims, name: string): unknown {
  return name.startsWith('/') ? readPointer(claims, name) : own(claims, name);
}

function own(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
