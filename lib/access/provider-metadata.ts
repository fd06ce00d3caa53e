import 'server-only';
import { z } from 'zod';
import { readAtProvider } from './provider-connection';
import { isTrustedAddress, type ProviderSettings } from './provider-settings.mjs';

/** Milliseconds for which one answer counts, so that strangers' clicks do not become requests to the provider. */
const KEPT = 600_000;

const address = z.string().max(2_048).refine(isTrustedAddress);
// Providers say much more about themselves; the rest does not concern us.
const document = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** Where the provider answers, as it says itself. */
export type ProviderMetadata = z.infer<typeof document>;

/** The provider gave no usable answer; nobody can sign in by it now. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError';
}

const kept = new Map<string, { since: number; answer: Promise<ProviderMetadata> }>();

/** The provider's own description, asked for once in ten minutes; a failure is not kept. */
export function providerMetadata(settings: ProviderSettings): Promise<ProviderMetadata> {
  const { issuer } = settings;
  const present = kept.get(issuer);
  if (present !== undefined && performance.now() - present.since < KEPT) return present.answer;
  const answer = discover(issuer).catch((error: unknown) => {
    kept.delete(issuer);
    throw new ProviderUnreachableError(`no usable description at ${issuer}`, { cause: error });
  });
  kept.set(issuer, { since: performance.now(), answer });
  return answer;
}

async function discover(issuer: string): Promise<ProviderMetadata> {
  const text = await readAtProvider(new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  const metadata = document.parse(JSON.parse(text));
  // Else one provider could speak for another (mix-up).
  if (metadata.issuer !== issuer) throw new Error(`it describes ${metadata.issuer}`);
  return metadata;
}
