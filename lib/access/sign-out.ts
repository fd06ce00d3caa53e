import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import { transaction } from '@/lib/db/transaction';
import { digestOf, isSecret } from './session-secret';
import { revokeSession } from './session';

/** Ends the session on the server: a copy of the cookie is worth nothing from here on. Doing it twice is harmless. */
export async function signOut(
  pool: Pool,
  secret: unknown,
  origin: { requestId: string; sourceAddress: string | null },
): Promise<void> {
  if (!isSecret(secret)) return;
  const open = await prismaOver(pool).session.findFirst({
    where: { secretDigest: new Uint8Array(digestOf(secret)), revokedAt: null },
    select: { personId: true },
  });
  if (open === null) return;
  const { personId } = open;
  await transaction(pool, { actor: { kind: 'person', id: personId }, ...origin }, async (tx) => {
    // Zero rows: another request was faster, and it left the event.
    if (await revokeSession(tx, secret))
      await appendAudit(tx, { event: 'session.signed_out', outcome: 'done' });
  });
}
