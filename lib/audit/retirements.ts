import 'server-only';
import { pool, type Queryable } from '@/lib/db/pool';
import type { Retirement } from './verifier/retirements.mjs';

export interface RetiredRange extends Retirement {
  /** RFC 3339, UTC. */
  retiredAt: string;
  retiredBy: string;
}

/** What has left the audit, oldest first. The last one is the anchor on which the rest of the chain stands. */
export async function readRetirements(from: Queryable = pool('pages')): Promise<RetiredRange[]> {
  const { rows } = await from.query<Record<keyof RetiredRange, string>>(
    `select first_number::text as first, last_number::text as last, encode(hash, 'hex') as hash, encode(log_id, 'hex') as "logId",
       archive, encode(sha256, 'hex') as sha256, event_number::text as "eventNumber", to_char(retired_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "retiredAt",
       retired_by as "retiredBy"
     from review.audit_retirements order by last_number`,
  );
  return rows.map((row) => ({
    ...row,
    first: BigInt(row.first),
    last: BigInt(row.last),
    eventNumber: BigInt(row.eventNumber),
  }));
}
