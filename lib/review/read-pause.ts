import type { Queryable } from '@/lib/db/pool';
import type { CallerView } from '@/lib/domain/caller-view';
import { answerNow, callerAnswer, type CallerAnswer } from '@/lib/domain/caller-impact';
import type { PauseView } from '@/lib/domain/exception-view';
import type { ExecutionState } from '@/lib/domain/states';
import type { ReadFacts } from './read-exception-facts';

/** Arrivals that led to a pause, and those that it refused. */
export interface PauseScope {
  readonly of: 'pause';
  readonly tenantId: string;
  readonly operation: string;
  readonly since: string;
  /** Null while the operation is paused. */
  readonly until: string | null;
}

/** From the window that was counted when it paused, to the end of the pause. */
export function pauseScope({ exception, policy }: ReadFacts): PauseScope {
  const { tenantId, operation, openedAt, closedAt } = exception;
  const since = new Date(Date.parse(openedAt) - policy.conflictWindowSeconds * 1000).toISOString();
  return { of: 'pause', tenantId, operation, since, until: closedAt };
}

/** What passed the operation's tolerance; null where no pause is in question. */
export function pauseView({ exception, policy, detail, paused }: ReadFacts): PauseView | null {
  if (exception.kind !== 'OPERATION_PAUSED') return null;
  const counted = (name: string) => (typeof detail[name] === 'number' ? detail[name] : 0);
  return {
    counted: counted('conflicts') + counted('mismatches'),
    tolerated: policy.conflictTolerance,
    windowSeconds: policy.conflictWindowSeconds,
    paused,
  };
}

/** Indexes: intakes_in_doubt, intakes_refused_by_pause. */
export const PAUSE_ARRIVALS = `i.tenant_id = $1 and i.operation = $2 and i.received_at > $3::timestamptz
  and ($4::timestamptz is null or i.received_at <= $4::timestamptz) and i.disposition in ('CONTENT_CONFLICT', 'OPERATION_PAUSED')`;

const CALLERS = `
  select c.*, case when e.execution_id is not null then jsonb_build_object('state', e.state, 'superseded', e.superseded_by is not null,
      'retentionOver', e.expires_at <= ledger.clock(), 'underReview', review.is_under_review(e.lineage_id),
      'leaseLive', coalesce(e.lease_expires_at > ledger.clock(), false), 'effectStarted', e.effect_started_at is not null,
      'attemptsLeft', e.attempts_spent < e.attempts_allowed, 'responseStatus', e.response_status, 'resultId', e.result_id) end as record
  from (
    select i.request_id as "requestId", i.principal_id, i.idempotency_key as key, count(*)::integer as arrivals,
      ledger.instant(min(i.received_at)) as "firstAt", ledger.instant(max(i.received_at)) as "lastAt",
      (array_agg(i.disposition order by i.received_at desc, i.intake_id desc))[1] as "lastDisposition", max(i.received_at) as newest
    from ledger.intakes i where ${PAUSE_ARRIVALS}
    group by i.request_id, i.principal_id, i.idempotency_key order by max(i.received_at) desc limit 50) c
  left join ledger.executions e on e.principal_id = c.principal_id and e.operation = $2 and e.idempotency_key = c.key
  order by c.newest desc`;

interface CallerRow extends Omit<CallerView, 'now'> {
  record: (Omit<Parameters<typeof answerNow>[0], 'paused'> & { state: ExecutionState }) | null;
  principal_id: string;
  newest: Date;
}

/** Each caller by its request and key, with what it would be answered at this moment. */
export async function readPauseCallers(
  db: Queryable,
  { tenantId, operation, since, until }: PauseScope,
  paused: boolean,
): Promise<CallerView[]> {
  const { rows } = await db.query<CallerRow & Record<string, unknown>>(CALLERS, [
    tenantId,
    operation,
    since,
    until,
  ]);
  return rows.map(({ record, principal_id: _principal, newest: _newest, ...caller }) => ({
    ...caller,
    now: answerOf(caller.lastDisposition, record, paused),
  }));
}

function answerOf(
  last: CallerView['lastDisposition'],
  record: CallerRow['record'],
  paused: boolean,
): CallerAnswer {
  // The other content stays another one, whether the operation is paused or not.
  if (last === 'CONTENT_CONFLICT') return callerAnswer('IDEMPOTENCY_KEY_REUSED');
  if (record !== null) return answerNow({ ...record, paused });
  return callerAnswer(paused ? 'OPERATION_PAUSED' : 'CLAIMED');
}
