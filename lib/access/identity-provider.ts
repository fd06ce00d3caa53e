import 'server-only';
import type { Profile } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { custom } from 'openid-client';
import type { Pool } from '@/lib/db/pool';
import { readProviderClaims, type ProviderClaims } from '@/lib/domain/provider-claims';
import { timesCanBeTrue } from '@/lib/domain/provider-times';
import { boundedConnections } from './provider-connection';
import { type ProviderVisit } from './provider-visit';
import type { ProviderMetadata } from './provider-metadata';
import type { ProviderSettings } from './provider-settings.mjs';
import { ABSOLUTE_SECONDS } from './session';
import type { SignInOrigin } from './sign-in';
import { signInByProvider } from './sign-in-by-provider';

export const PROVIDER_ID = 'oidc';

/** Signature algorithms that we take, the provider's most common first. Never `none`, and nothing under the client's secret. */
const ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'];

/** The configured provider; without metadata it is only listed. */
export interface IdentityProvider {
  settings: ProviderSettings;
  metadata: ProviderMetadata | null;
  /** Of whoever is on the way back. */
  visit?: ProviderVisit;
}

/** What next-auth carries from the provider's answer to the sign-in. */
export interface VouchedProfile extends Profile {
  claims: ProviderClaims;
}

/**
 * The provider as next-auth takes it: authorization code with PKCE, state and nonce; signature, issuer, audience and times
 * of the token are checked by openid-client. Asking for `max_age` makes the token say when the person last signed in there.
 */
export function providerConfig({ settings, metadata }: IdentityProvider): OAuthConfig<VouchedProfile> {
  const { issuer, clientId, clientSecret, roleClaim, name } = settings;
  const base = { id: PROVIDER_ID, name, type: 'oauth', issuer, clientId, clientSecret } as const;
  const profile = ({ claims }: VouchedProfile) => ({ id: claims.subject, secret: '' });
  if (metadata === null) return { ...base, profile };
  return {
    ...base,
    profile,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: {
      url: metadata.authorization_endpoint,
      params: { scope: 'openid email profile', max_age: ABSOLUTE_SECONDS },
    },
    token: {
      url: metadata.token_endpoint,
      request: async ({ client, provider, params, checks }) => {
        const connections = boundedConnections();
        // The client is made for this one way back; its keys are asked for by its issuer, which has options of its own.
        client[custom.http_options] = (address) => ({ agent: connections(address) });
        client.issuer[custom.http_options] = client[custom.http_options];
        return { tokens: await client.callback(provider.callbackUrl, params, checks) };
      },
    },
    jwks_endpoint: metadata.jwks_uri,
    userinfo: {
      ...(metadata.userinfo_endpoint === undefined ? {} : { url: metadata.userinfo_endpoint }),
      request: async ({ client, tokens }) => {
        const set = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>;
        const ask = metadata.userinfo_endpoint !== undefined && set.access_token !== undefined;
        // openid-client refuses an answer about another subject than the token's.
        const answer = ask ? await client.userinfo(set) : {};
        const claims = readProviderClaims(set.claims(), answer, roleClaim);
        if (claims === null || !timesCanBeTrue(set.claims(), Date.now() / 1_000))
          throw new Error('the token names nobody, or its times cannot be true');
        const vouched: VouchedProfile = { claims };
        return vouched;
      },
    },
    client: {
      id_token_signed_response_alg: algorithm(metadata),
      token_endpoint_auth_method: authentication(metadata),
    },
  };
}

/** An expected no; its message is the code that the page tells in words. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

/** Opens the session behind the provider's word; a throw's message becomes the code of the page that tells why not. */
export async function admitByProvider(
  pool: Pool,
  { settings: { issuer }, visit }: IdentityProvider,
  claims: ProviderClaims,
  origin: SignInOrigin,
): Promise<string> {
  if (visit === undefined) throw new Error('bug: somebody came back who is on no way');
  const answer = await signInByProvider(pool, issuer, { ...claims, visit }, origin);
  if (answer.kind === 'refused') throw new ProviderRefusal(answer.problem);
  return answer.secret;
}

function algorithm({
  id_token_signing_alg_values_supported: supported = ['RS256'],
}: ProviderMetadata): string {
  return ALGORITHMS.find((each) => supported.includes(each)) ?? 'RS256';
}

function authentication({ token_endpoint_auth_methods_supported: supported }: ProviderMetadata) {
  return supported?.includes('client_secret_basic') === false ? 'client_secret_post' : 'client_secret_basic';
}
