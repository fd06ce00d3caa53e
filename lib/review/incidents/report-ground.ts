import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import { connectorSchema } from '@/lib/domain/connector';
import type { QuestionSubject } from '@/lib/domain/connector-question';
import type { MatchValue, NamedRow } from '@/lib/domain/report-reading';
import type { KnownExecution, ReportGround } from '@/lib/domain/report-verdict';
import { safeParse } from '@/lib/domain/safe-parse';

/** Of which incident a report is judged, about which operation. */
export interface ReportSubject {
  incidentId: string;
  tenantId: string;
  system: string;
  operation: string;
}

/** Names per statement: each is one probe of an index. */
const SLICE = 2_000;

const COLUMNS: Readonly<Record<MatchValue, string>> = {
  key: 'e.idempotency_key',
  externalRequestKey: 'e.external_request_key',
  businessRef: 'e.business_ref',
};

// Indexes: executions_by_key, executions_by_external_key, executions_reference_prefix.
const knownBy = (matchValue: MatchValue) => `
  select ${COLUMNS[matchValue]} as "matchValue", e.operation, e.execution_id as "executionId", e.version::text as "executionVersion",
         ledger.instant(e.created_at) as "beganAt",
         (select m.exception_id from review.incident_members m join review.exceptions x on x.exception_id = m.exception_id
           where m.incident_id = $4::uuid and x.execution_id = e.execution_id and x.operation = $5 and x.state = 'OPEN'
             and x.kind = 'UNKNOWN_RESULT') as "exceptionId",
         e.state in ('SUCCEEDED', 'FAILED_FINAL', 'EXPIRED') or e.superseded_by is not null as "isSettled",
         jsonb_build_object('system', e.target_system, 'account', e.target_account, 'key', e.idempotency_key, 'requestId', e.request_id,
           'externalRequestKey', e.external_request_key, 'externalJobId', e.external_job_id, 'businessRef', e.business_ref,
           'contentVersion', e.content_version, 'resultId', coalesce(e.result_id, e.reported_result_id),
           'display', coalesce(e.display_fields, '{}')) as subject
    from ledger.executions e
   where e.tenant_id = $1 and ${COLUMNS[matchValue]} = any($2::text[]) and review.outside_system_of(e) = $3`;

// Indexes: executions_by_result, exceptions_one_orphan.
const KNOWN_RESULTS = `
  select e.result_id as "resultId", e.execution_id::text as owner from ledger.executions e
   where e.tenant_id = $1 and e.result_id = any($2::text[]) and review.outside_system_of(e) = $3
  union select x.detail->>'resultId', null from review.exceptions x
   where x.tenant_id = $1 and x.kind = 'ORPHAN_EFFECT' and x.detail->>'system' = $3 and x.detail->>'resultId' = any($2::text[])`;

type Known = KnownExecution & { matchValue: string; operation: string; subject: QuestionSubject };

/** What the ledger knows of the things that these rows name. */
export async function reportGround(
  db: Queryable,
  about: ReportSubject,
  matchValue: MatchValue,
  rows: readonly NamedRow[],
): Promise<Pick<ReportGround, 'known' | 'isKnownResult'>> {
  const known = new Map<string, Known[]>();
  for (const slice of slices(rows.map((row) => row.matchValue))) {
    const { rows: found } = await db.query<Known & Record<string, unknown>>(knownBy(matchValue), [
      about.tenantId,
      slice,
      about.system,
      about.incidentId,
      about.operation,
    ]);
    for (const each of found) known.set(each.matchValue, [...(known.get(each.matchValue) ?? []), each]);
  }
  const results = new Map<string, (string | null)[]>();
  for (const slice of slices(rows.map((row) => row.resultId))) {
    const { rows: found } = await db.query<{ resultId: string; owner: string | null }>(KNOWN_RESULTS, [
      about.tenantId,
      slice,
      about.system,
    ]);
    for (const { resultId, owner } of found) results.set(resultId, [...(results.get(resultId) ?? []), owner]);
  }
  return {
    known: (value) => ownFirst(known.get(value) ?? [], about.operation),
    isKnownResult: (resultId, own) =>
      results.get(resultId)?.some((owner) => owner !== own || own === null) === true,
  };
}

/** Another operation may use the same key for the same work; the report is about one of them. */
function ownFirst(known: readonly Known[], operation: string): readonly Known[] {
  const own = known.filter((each) => each.operation === operation);
  return own.length > 0 ? own : known;
}

/** Text that PostgreSQL cannot hold names nothing there. */
function* slices(values: readonly string[]): Generator<string[]> {
  const names = [...new Set(values)].filter((value) => value !== '' && !/[\0\p{Cs}]/u.test(value));
  for (let from = 0; from < names.length; from += SLICE) yield names.slice(from, from + SLICE);
}

const RECIPE = `
  select c.recipe from ledger.policy_for($1, $2) p join review.connectors c on c.connector_id = p.connector_id
   where c.retired_at is null and (c.tenant_id is null or c.tenant_id = $1)`;

/** What the connector compares: of each placeholder how far a number may differ. Empty: the operation has none. */
export async function comparedFields(
  db: Queryable,
  { tenantId, operation }: Pick<ReportSubject, 'tenantId' | 'operation'>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ recipe: unknown }>(RECIPE, [tenantId, operation]);
  const recipe = safeParse(connectorSchema, rows[0]?.recipe);
  if (!recipe.success) return new Map();
  const compared = recipe.data.content.filter(({ role }) => role !== 'identifies');
  return new Map(compared.map(({ expected, tolerance }) => [expected, tolerance]));
}
