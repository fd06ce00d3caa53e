import { nextStep, type NextStep, type StepSubject } from '@/lib/domain/next-step';

export type StepRead = Omit<StepSubject, 'kind' | 'state' | 'now'> & { readonly now: string };

/**
 * What the next step of an exception `x` with its execution `e` is told from, as one JSON column. Indexes:
 * lookups_by_execution, approval_requests_one_in_flight, approval_requests_by_exception.
 */
export const STEP_FIELDS = `jsonb_build_object(
  'execution', case when e.execution_id is not null then jsonb_build_object('version', e.version::text, 'state', e.state,
    'superseded', e.superseded_by is not null, 'resultId', e.result_id, 'attemptsLeft', e.attempts_spent < e.attempts_allowed) end,
  'policy', (select jsonb_build_object('evidenceMaxAgeSeconds', f.evidence_max_age_seconds, 'resultIdRequired', f.result_id_required,
      'proof', f.proof, 'hasConnector', exists (select from review.connectors c
        where c.connector_id = f.connector_id and c.retired_at is null and (c.tenant_id is null or c.tenant_id = x.tenant_id)))
    from ledger.policy_for(x.tenant_id, x.operation) f),
  'requestInFlight', exists (select from review.approval_requests r
      where r.exception_id = x.exception_id and r.state in ('PENDING', 'APPROVED'))
    or exists (select from review.approval_requests r
      where r.execution_id = x.execution_id and r.state in ('PENDING', 'APPROVED')),
  'deferred', coalesce(x.deferred_until > ledger.clock(), false),
  'lookups', coalesce((select jsonb_agg(jsonb_build_object('lookupId', l.lookup_id, 'executionVersion', l.execution_version::text,
      'byPerson', l.connector_id is null, 'lookedBy', l.checked_by, 'outcome', l.outcome,
      'externalStatus', case when l.connector_id is not null then l.external_status end, 'verdict', l.verdict,
      'resultId', l.result_id, 'accountMatch', l.account_match, 'contentMatch', l.content_match,
      'checkedAt', ledger.instant(l.checked_at),
      'usableFrom', ledger.instant(review.usable_from(l.execution_id, l.checked_at, l.usable_from)),
      'usableUntil', ledger.instant(l.usable_until)) order by l.checked_at desc, l.lookup_id desc)
    from (select * from review.lookups k where k.execution_id = e.execution_id and k.execution_version = e.version
      order by k.checked_at desc, k.lookup_id desc limit 50) l), '[]'),
  'now', ledger.instant(ledger.clock()))`;

export function stepOf(about: Pick<StepSubject, 'kind' | 'state'>, read: StepRead): NextStep {
  return nextStep({ ...read, ...about, now: new Date(read.now) });
}
