import type { Pool } from '@/lib/db/pool';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { LookupOutcome, Verdict } from '@/lib/domain/lookup-verdict';
import { askConnector, type Asking } from './ask-connector';
import { limitsOf, takeSlot, turnOf } from './connector-slot';
import { getLookupSubject } from './lookup-subject';
import { recordLookup } from './record-lookup';

/** Why a person's lookup did not run; each is audited as `lookup.requested`, refused. */
type LookupRefusal =
  | 'NOT_FOUND'
  | 'ROLE_MISSING'
  | 'AUTHORITY_MISSING'
  | 'EXCEPTION_CLOSED'
  | 'NO_EXECUTION'
  | 'NO_CONNECTOR'
  | 'CONNECTOR_BUSY';

export type LookedUp =
  | { outcome: 'done'; lookupId: string; found: LookupOutcome; verdict: Verdict }
  | { outcome: 'refused'; code: LookupRefusal };

/** Milliseconds that a person waits for the connector's rate, and again for the pages of a list. */
const PATIENCE_MS = 2_000;

/**
 * A person asks the outside system about an exception now. Rights are judged in the database first, then the
 * question goes out without any transaction open (up to 5 s, and the turns of a list's pages), then the answer is kept under the person's name.
 * The person's lookups do not count against the automatic ones.
 */
export async function lookUpAgain(
  pool: Pool,
  context: TransactionContext,
  how: Asking,
  exceptionId: string,
): Promise<LookedUp> {
  const permitted = await transaction(pool, context, async (tx) => {
    const { rows } = await tx.query<{
      answer: { outcome: 'done'; executionId: string } | { outcome: 'refused'; code: LookupRefusal };
    }>('SELECT review.request_lookup($1::uuid) AS answer', [exceptionId]);
    return rows[0]?.answer;
  });
  if (permitted === undefined) throw new Error('bug: request_lookup answered nothing');
  if (permitted.outcome === 'refused') return permitted;
  const planned = await getLookupSubject(pool, permitted.executionId);
  if (planned?.connector == null) return { outcome: 'refused', code: 'NO_CONNECTOR' };
  const waitMs = await takeSlot(
    pool,
    planned.connector.connectorId,
    limitsOf(planned.connector.recipe).ratePerSecond,
    PATIENCE_MS,
  );
  if (waitMs === null) return { outcome: 'refused', code: 'CONNECTOR_BUSY' };
  const asked = await askConnector(
    planned,
    planned.connector,
    how,
    turnOf(pool, planned.connector, PATIENCE_MS),
  );
  const lookupId = await transaction(pool, context, (tx) =>
    recordLookup(tx, asked, { exceptionId, nextCheckAt: null, ending: null }),
  );
  return { outcome: 'done', lookupId, found: asked.finding.outcome, verdict: asked.verdict };
}
