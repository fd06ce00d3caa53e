import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import { transaction } from '@/lib/db/transaction';
import { canonicalOrigin } from './configuration';
import { providerMetadata } from './provider-metadata';
import type { ProviderSettings } from './provider-settings.mjs';
import { digestOf, isSecret } from './session-secret';
import { revokeSession } from './session';
import type { SignInOrigin } from './sign-in';

/** Ends the session on the server: a copy of the cookie is worth nothing from here on. Doing it twice is harmless. */
export async function signOut(
  pool: Pool,
  secret: unknown,
  origin: { requestId: string; sourceAddress: string | null },
): Promise<{ byProvider: boolean }> {
  const nothing = { byProvider: false };
  if (!isSecret(secret)) return nothing;
  const open = await prismaOver(pool).session.findFirst({
    where: { secretDigest: new Uint8Array(digestOf(secret)), revokedAt: null },
    select: { sessionId: true, personId: true, identityId: true },
  });
  if (open === null) return nothing;
  const { sessionId, personId, identityId } = open;
  const { requestId, sourceAddress } = origin;
  const context = { actor: { kind: 'person' as const, id: personId }, requestId, sourceAddress };
  await transaction(pool, context, async (tx) => {
    // Zero rows: another request was faster, and it left the event.
    if (await revokeSession(tx, secret))
      await appendAudit(tx, { event: 'session.signed_out', outcome: 'done', body: { sessionId } });
  });
  return { byProvider: identityId !== null };
}

/**
 * The same, and where the browser goes to end the session at the provider as well; null: nowhere. The provider asks the
 * person there, since we keep no token to show it.
 */
export async function signOutEverywhere(
  pool: Pool,
  origin: SignInOrigin,
  settings: ProviderSettings | null,
): Promise<string | null> {
  const { byProvider } = await signOut(pool, origin.previousSecret, origin);
  if (!byProvider || settings === null) return null;
  // Our session is over; a provider that does not answer must not keep the browser here.
  const metadata = await providerMetadata(settings).catch(() => null);
  if (metadata?.end_session_endpoint === undefined) return null;
  const address = new URL(metadata.end_session_endpoint);
  address.searchParams.set('client_id', settings.clientId);
  address.searchParams.set('post_logout_redirect_uri', `${canonicalOrigin()}/login`);
  return address.href;
}
