import type { Queryable } from '@/lib/db/pool';
import type { QuestionSubject } from '@/lib/domain/connector-question';
import type { TrialAnswer } from '@/lib/domain/connector-view';
import type { Proof } from '@/lib/domain/lookup-verdict';
import type { LookupSubject } from '@/lib/lookup/lookup-subject';

export type TriedExecution = NonNullable<Extract<TrialAnswer, { outcome: 'shown' }>['execution']>;

// Each branch reads its own index; the newest of what they find.
const BY_REFERENCE = `
  with tenant as (select unnest($2::text[]) as tenant_id),
  hit as (
    select e.* from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.idempotency_key = $1
    union all select e.* from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.request_id = $1
    union all select e.* from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.business_ref = $1
    union all select e.* from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.result_id = $1)
  select execution_id as "executionId", operation, idempotency_key as key from hit order by created_at desc, execution_id limit 1`;

/** The newest execution of these tenants that goes by this key, request id, business reference or result id. */
export async function executionByReference(
  db: Queryable,
  reference: string,
  tenants: readonly string[],
): Promise<TriedExecution | null> {
  const { rows } = await db.query<TriedExecution & Record<string, unknown>>(BY_REFERENCE, [
    reference,
    tenants,
  ]);
  return rows[0] ?? null;
}

/** A stand-in for an execution: the values that somebody typed, by placeholder, such as `{key}` or `{display:/amount}`. */
export async function sampleSubject(
  db: Queryable,
  sample: { values: Readonly<Record<string, string>>; proof: Proof; system: string },
): Promise<LookupSubject> {
  const { rows } = await db.query<{ at: Date; text: string }>(
    'select at, ledger.instant(at) as text from (select ledger.clock() as at) now',
  );
  const now = rows[0];
  if (now === undefined) throw new Error('bug: no clock');
  const named = (name: string) => sample.values[`{${name}}`] || null;
  const display = Object.entries(sample.values).flatMap(([placeholder, value]) => {
    const pointer = /^\{display:(.*)\}$/.exec(placeholder)?.[1];
    return pointer === undefined || value === '' ? [] : [[pointer, value] as const];
  });
  const question: QuestionSubject = {
    system: sample.system,
    account: named('account'),
    key: named('key'),
    requestId: named('requestId'),
    externalRequestKey: named('externalRequestKey'),
    externalJobId: named('externalJobId'),
    businessRef: named('businessRef'),
    contentVersion: named('contentVersion'),
    resultId: named('resultId'),
    display: Object.fromEntries(display),
  };
  return {
    executionId: '',
    executionVersion: '0',
    proof: sample.proof,
    question,
    horizon: {
      createdAt: now.at,
      firstEffectStartedAt: now.at,
      lastActivityAt: now.at,
      leaseExpiresAt: null,
      graceSeconds: 0,
    },
    manualHorizonSeconds: 0,
    connector: null,
    askedAt: now.at,
    askedAtText: now.text,
  };
}
