import 'server-only';
import { pool, type Queryable } from '@/lib/db/pool';
import type { SignerAlarm } from './signer/alarm';

/**
 * `signed`: everything older than two minutes is signed · `late`: something is not · `unsigned`: nothing has ever been signed ·
 * `alarm`: the signer refuses the log.
 */
export type SigningState = 'signed' | 'late' | 'unsigned' | 'alarm';

export interface SigningStatus {
  state: SigningState;
  /** The last checkpoint; null before the first. */
  signed: { number: string; at: string; keyId: string } | null;
  /** Events since, and when the first of them was recorded. */
  since: number;
  sinceAt: string | null;
  alarm: { code: SignerAlarm['code']; number: string | null; since: string } | null;
}

/** Seconds; eight of the signer's usual periods (AU-19: an alarm within minutes). */
const LATE_SECONDS = 120;

interface Row {
  number: string | null;
  at: string | null;
  key_id: string | null;
  since: string;
  since_at: string | null;
  late: boolean | null;
  alarm: SignerAlarm['code'] | null;
  alarm_number: string | null;
  alarm_since: string | null;
}

/** How far the audit is signed, as the database tells it. The proof is the signer's own file, kept elsewhere. */
export async function signingStatus(database: Queryable = pool('pages')): Promise<SigningStatus> {
  const { rows } = await database.query<Row>(
    `select c.number::text as number, ledger.instant(c.signed_at) as at, c.key_id,
       greatest(h.number - coalesce(c.number, 0), 0)::text as since, ledger.instant(e.occurred_at) as since_at,
       e.occurred_at < ledger.clock() - make_interval(secs => $1) as late,
       s.alarm, s.alarm_number::text as alarm_number, ledger.instant(s.alarm_since) as alarm_since
     from review.audit_signer s
     left join review.audit_head h on true
     left join lateral (select * from review.audit_checkpoints order by sequence desc limit 1) c on true
     left join review.audit_events e on e.number = coalesce(c.number, 0) + 1`,
    [LATE_SECONDS],
  );
  const [row] = rows;
  if (!row) throw new Error('bug: the signer has no row');
  const { number, at, key_id: keyId, alarm, alarm_since: alarmSince } = row;
  const signed = number === null || at === null || keyId === null ? null : { number, at, keyId };
  return {
    state: alarm !== null ? 'alarm' : row.late !== true ? 'signed' : signed === null ? 'unsigned' : 'late',
    signed,
    since: Number(row.since),
    sinceAt: row.since_at,
    alarm:
      alarm === null || alarmSince === null
        ? null
        : { code: alarm, number: row.alarm_number, since: alarmSince },
  };
}
