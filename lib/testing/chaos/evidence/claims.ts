// What the ledger's evidence says about each unknown result, and when it says so.
import type pg from 'pg';
import type { LookupOutcome, Verdict } from '@/lib/domain/lookup-verdict';
import type { Claim } from './truth';

/** One automatic look. Instants are milliseconds. */
export interface Look {
  readonly key: string;
  readonly outcome: LookupOutcome;
  readonly verdict: Verdict;
  readonly externalStatus: string | null;
  readonly resultId: string | null;
  readonly errorClass: string | null;
  /** About the execution as it is at the end. */
  readonly current: boolean;
  /** When it was asked, and when its answer was kept. */
  readonly checkedAt: number;
  readonly recordedAt: number;
  /** From when on "not there" proves something, as pages and decisions judge it. */
  readonly horizonAt: number;
}

export interface Unknown {
  readonly key: string;
  readonly operation: string;
  readonly looks: readonly Look[];
}

const COUNT = `SELECT count(*)::integer AS count FROM ledger.executions WHERE state = 'UNKNOWN'`;

export async function countUnknown(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(COUNT);
  return rows[0]?.count ?? 0;
}

const UNKNOWN = `SELECT idempotency_key AS key, operation FROM ledger.executions WHERE state = 'UNKNOWN' ORDER BY created_at`;

const LOOKS = `
  SELECT e.idempotency_key AS key, l.outcome, l.verdict, l.external_status AS "externalStatus", l.result_id AS "resultId",
         l.error_class AS "errorClass", l.execution_version = e.version AS current,
         extract(epoch FROM l.checked_at)::float8 * 1000 AS "checkedAt",
         extract(epoch FROM l.recorded_at)::float8 * 1000 AS "recordedAt",
         extract(epoch FROM review.usable_from(l.execution_id, l.checked_at, l.usable_from))::float8 * 1000 AS "horizonAt"
    FROM review.lookups l JOIN ledger.executions e ON e.execution_id = l.execution_id
   WHERE e.state = 'UNKNOWN' ORDER BY l.checked_at, l.lookup_id`;

export async function readUnknowns(owner: pg.Pool): Promise<Unknown[]> {
  const unknown = (await owner.query<{ key: string; operation: string }>(UNKNOWN)).rows;
  const looks = (await owner.query<Look>(LOOKS)).rows;
  const byKey = new Map<string, Look[]>(unknown.map(({ key }) => [key, []]));
  for (const look of looks) byKey.get(look.key)?.push(look);
  return unknown.map(({ key, operation }) => ({ key, operation, looks: byKey.get(key) ?? [] }));
}

/** What the look claims to know; null when it claims nothing, as "not there" does before its horizon. */
export function claimOf(look: Look): Claim | null {
  const says = saysOf(look);
  return says === null ? null : { says, from: look.checkedAt, to: look.recordedAt, resultId: look.resultId };
}

function saysOf({ outcome, verdict, externalStatus, checkedAt, horizonAt }: Look): Claim['says'] | null {
  if (outcome === 'MULTIPLE') return 'SEVERAL';
  if (outcome === 'MISMATCH') return 'OTHER_THING';
  if (verdict === 'APPLIED') return 'APPLIED';
  if (verdict === 'NOT_APPLIED') return checkedAt >= horizonAt ? 'NOT_APPLIED' : null;
  return outcome === 'FOUND' && externalStatus === 'reversed' ? 'REVERSED' : null;
}

/**
 * Whether the claim answers what a person wants to know first: did it happen? Another's thing under our reference does not:
 * whose it is must be found out.
 */
export const isConclusive = ({ says }: Claim): boolean => says !== 'OTHER_THING';
