import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@/lib/db/pool';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { askConnector, type AskedLookup, type Asking } from '@/lib/lookup/ask-connector';
import { limitsOf, takeSlot, turnOf } from '@/lib/lookup/connector-slot';
import { getLookupSubject } from '@/lib/lookup/lookup-subject';
import { recordLookup } from '@/lib/lookup/record-lookup';

/** A row that a worker has taken: nobody else asks for it as long as its lease holds. */
export interface TakenRow {
  rowNumber: number;
  lease: number;
  exceptionId: string;
  executionId: string;
}

/** Milliseconds for the connector's turn, and for those of a list's further pages; together within the lease. */
const TURN_MS = 10_000;
const PAGES_MS = 20_000;
/** Milliseconds until a connector without a free place is tried again. */
const PLACE_MS = 250;

/** What came of asking: an answer, a refusal with its code, or nothing yet. */
type Came = { asked: AskedLookup } | { refused: 'NO_CONNECTOR' } | 'NOT_YET';

/**
 * Asks the outside system for one row of a bulk job, outside any transaction, and keeps the look and the row's outcome together:
 * whoever is killed in between has kept neither.
 */
export async function askForRow(
  pool: Pool,
  context: TransactionContext,
  how: Asking,
  jobId: string,
  row: TakenRow,
): Promise<void> {
  const came = await ask(pool, how, row);
  try {
    await keep(pool, context, jobId, row, came);
  } catch (error) {
    const state = sqlstateOf(error) ?? '';
    // What the row's own data meet is the row's; anything else passes, and the row is asked again.
    if (!/^(22|23|OO)/.test(state)) throw error;
    await end(pool, context, jobId, row, { failed: state });
  }
  if (came === 'NOT_YET') await pause(PLACE_MS);
}

async function ask(pool: Pool, how: Asking, row: TakenRow): Promise<Came> {
  const planned = await getLookupSubject(pool, row.executionId);
  if (planned?.connector == null) return { refused: 'NO_CONNECTOR' };
  const { connector } = planned;
  const waitMs = await takeSlot(
    pool,
    connector.connectorId,
    limitsOf(connector.recipe).ratePerSecond,
    TURN_MS,
  );
  if (waitMs === null) return 'NOT_YET';
  await pause(waitMs);
  const asked = await how.places.use(
    connector.connectorId,
    () => askConnector(planned, connector, how, turnOf(pool, connector, PAGES_MS)),
    ({ finding }) => finding.errorClass === 'UNREACHABLE',
  );
  return asked === null ? 'NOT_YET' : { asked };
}

async function keep(
  pool: Pool,
  context: TransactionContext,
  jobId: string,
  row: TakenRow,
  came: Came,
): Promise<void> {
  if (came === 'NOT_YET') return end(pool, context, jobId, row, {});
  if ('refused' in came) return end(pool, context, jobId, row, came);
  await transaction(pool, context, async (tx) => {
    const { rows } = await tx.query<{ held: boolean }>(
      'select review.hold_bulk_row($1::uuid, $2, $3) as held',
      [jobId, row.rowNumber, row.lease],
    );
    // Ended meanwhile, or somebody else's after a long silence: what was heard is not kept.
    if (rows[0]?.held !== true) return;
    const lookupId = await recordLookup(tx, came.asked, {
      exceptionId: row.exceptionId,
      nextCheckAt: null,
      ending: null,
    });
    await tx.query('select review.end_bulk_row($1::uuid, $2, $3, $4::jsonb)', [
      jobId,
      row.rowNumber,
      row.lease,
      JSON.stringify({ lookupId }),
    ]);
  });
}

async function end(
  pool: Pool,
  context: TransactionContext,
  jobId: string,
  row: TakenRow,
  became: object,
): Promise<void> {
  await transaction(pool, context, (tx) =>
    tx.query('select review.end_bulk_row($1::uuid, $2, $3, $4::jsonb)', [
      jobId,
      row.rowNumber,
      row.lease,
      JSON.stringify(became),
    ]),
  );
}
