import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
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
  const { rows } = await pool.query<{ person_id: string }>(
    `select person_id from review.sessions where secret_digest = $1 and revoked_at is null`,
    [digestOf(secret)],
  );
  const personId = rows[0]?.person_id;
  if (personId === undefined) return;
  await transaction(pool, { actor: { kind: 'person', id: personId }, ...origin }, async (tx) => {
    // Zero rows: another request was faster, and it left the event.
    if (await revokeSession(tx, secret))
      await appendAudit(tx, { event: 'session.signed_out', outcome: 'done' });
  });
}
