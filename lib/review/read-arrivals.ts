import type { Queryable } from '@/lib/db/pool';
import type { CallerView } from '@/lib/domain/caller-view';
import { PAUSE_ARRIVALS, type PauseScope } from './read-pause';
import type {
  AttemptView,
  ConflictView,
  ContentDifference,
  IntakeView,
  LateReportView,
} from '@/lib/domain/exception-view';

/** Rows shown; the total says how many there are. */
const SHOWN = 60;

/** Whose arrivals: an execution's, or those of an operation that named no key, or those around its pause. */
export type ArrivalScope =
  | { of: 'execution'; executionId: string }
  | { of: 'keyless'; tenantId: string; principalId: string; operation: string }
  | PauseScope;

function condition(scope: ArrivalScope): { where: string; values: (string | null)[] } {
  switch (scope.of) {
    case 'execution':
      return { where: 'i.execution_id = $1::uuid', values: [scope.executionId] };
    case 'keyless':
      return {
        where: `i.tenant_id = $1 and i.operation = $2 and i.disposition = 'KEY_MISSING' and i.principal_id = $3`,
        values: [scope.tenantId, scope.operation, scope.principalId],
      };
    case 'pause':
      return { where: PAUSE_ARRIVALS, values: [scope.tenantId, scope.operation, scope.since, scope.until] };
    default: {
      const impossible: never = scope;
      throw new Error(`bug: unknown scope of arrivals ${JSON.stringify(impossible)}`);
    }
  }
}

const INTAKE = `i.intake_id as "intakeId", i.execution_id as "executionId", ledger.instant(i.received_at) as "receivedAt",
  i.disposition, i.request_id as "requestId", i.trace_id as "traceId", i.idempotency_key as key, i.content_version as "contentVersion",
  i.target_system as "targetSystem", i.target_account as "targetAccount", i.fingerprint, i.via`;

type Row<T> = T & Record<string, unknown>;

/** The newest arrivals of a scope, oldest first, with their number. Indexes: intakes_by_execution, intakes_in_doubt. */
export async function readArrivals(
  db: Queryable,
  scope: ArrivalScope,
): Promise<{ total: number; shown: IntakeView[] }> {
  const { where, values } = condition(scope);
  const { rows: counted } = await db.query<{ total: number }>(
    `select count(*)::integer as total from ledger.intakes i where ${where}`,
    values,
  );
  const { rows } = await db.query<Row<IntakeView>>(
    `select ${INTAKE} from ledger.intakes i where ${where} order by i.received_at desc, i.intake_id desc limit ${SHOWN}`,
    values,
  );
  return { total: counted[0]?.total ?? 0, shown: rows.reverse() };
}

/** Who sends this key: arrivals by request id, the latest first. */
export async function readCallers(db: Queryable, scope: ArrivalScope): Promise<CallerView[]> {
  const { where, values } = condition(scope);
  const { rows } = await db.query<Row<CallerView>>(
    `select i.request_id as "requestId", count(*)::integer as arrivals, ledger.instant(min(i.received_at)) as "firstAt",
       ledger.instant(max(i.received_at)) as "lastAt",
       (array_agg(i.disposition order by i.received_at desc, i.intake_id desc))[1] as "lastDisposition", null as key, null as now
     from ledger.intakes i where ${where}
     group by i.request_id order by max(i.received_at) desc limit 20`,
    values,
  );
  return rows;
}

export async function readAttempts(db: Queryable, executionId: string): Promise<AttemptView[]> {
  const { rows } = await db.query<Row<AttemptView>>(
    `select attempt, owner, fencing_token::text as "fencingToken", ledger.instant(started_at) as "startedAt",
       ledger.instant(effect_started_at) as "effectStartedAt", external_job_id as "externalJobId",
       ledger.instant(ended_at) as "endedAt", outcome, failure_code as "failureCode", failure_message as "failureMessage"
     from ledger.attempts where execution_id = $1::uuid order by attempt`,
    [executionId],
  );
  return rows;
}

export async function readLateReports(db: Queryable, executionId: string): Promise<LateReportView[]> {
  const { rows } = await db.query<Row<LateReportView>>(
    `select report_id as "reportId", verb, fencing_token::text as "fencingToken", result_id as "resultId",
       result_url as "resultUrl", state_found as "stateFound", ledger.instant(received_at) as "receivedAt"
     from ledger.late_reports where execution_id = $1::uuid order by received_at, report_id limit ${SHOWN}`,
    [executionId],
  );
  return rows;
}

interface ConflictRow extends IntakeView {
  stored: Record<string, unknown>;
  arrived: Record<string, unknown>;
  /** Pointers of every field hashed on either side, with whether they differ; null when a side kept none. */
  hashes: Record<string, boolean> | null;
  labels: Record<string, [string | null, string | null]>;
  conflictingFields: string[] | null;
}

/** Arrivals beside what a lateral part, `was`, takes for the stored record. */
const conflictsWith = (was: string) => `
  select ${INTAKE}, i.conflicting_fields as "conflictingFields", coalesce(i.display_fields, '{}') as arrived,
    coalesce(was.display_fields, '{}') as stored,
    case when was.field_hashes is null or i.field_hashes is null then null else (
      select jsonb_object_agg(coalesce(s.key, a.key), s.value is distinct from a.value)
      from jsonb_each(was.field_hashes) s full join jsonb_each(i.field_hashes) a on a.key = s.key) end as hashes,
    jsonb_build_object('contentVersion', jsonb_build_array(was.content_version, i.content_version),
      'target.system', jsonb_build_array(was.target_system, i.target_system),
      'target.account', jsonb_build_array(was.target_account, i.target_account)) as labels
  from ledger.intakes i join ledger.executions e on e.execution_id = i.execution_id ${was}`;

const AS_STORED = `
  left join lateral (select f.display_fields, f.field_hashes from ledger.intakes f where f.execution_id = e.execution_id
    and f.fingerprint = e.fingerprint order by f.received_at limit 1) first on true
  cross join lateral (select coalesce(e.display_fields, first.display_fields) as display_fields,
    coalesce(e.field_hashes, first.field_hashes) as field_hashes, e.content_version, e.target_system, e.target_account) was`;

// The request's fingerprint names the content that it was about; the arrival that brought it never changes, whatever the record does.
const AS_ASKED = `
  join review.approval_requests r on r.intake_id = i.intake_id
  left join lateral (select f.* from ledger.intakes f where f.execution_id = r.execution_id
    and f.fingerprint = r.fingerprint and f.received_at <= r.requested_at order by f.received_at limit 1) first on true
  cross join lateral (select coalesce(first.display_fields, e.display_fields) as display_fields,
    coalesce(first.field_hashes, e.field_hashes) as field_hashes, coalesce(first.content_version, e.content_version) as content_version,
    coalesce(first.target_system, r.target_system) as target_system, coalesce(first.target_account, r.target_account) as target_account) was`;

/** The arrivals that brought other content under this key, newest first, each held against the stored record. */
export async function readConflicts(db: Queryable, executionId: string): Promise<ConflictView[]> {
  const { rows } = await db.query<Row<ConflictRow>>(
    `${conflictsWith(AS_STORED)} where i.execution_id = $1::uuid and i.disposition = 'CONTENT_CONFLICT'
     order by i.received_at desc, i.intake_id desc limit 20`,
    [executionId],
  );
  return rows.map(toConflict);
}

/** The arrival that a request is about, held against what was stored when it was asked; null where it is about none. */
export async function readAskedConflict(
  db: Queryable,
  requestId: string,
  tenants: readonly string[],
): Promise<ConflictView | null> {
  const { rows } = await db.query<Row<ConflictRow>>(
    `${conflictsWith(AS_ASKED)} where r.request_id = $1::uuid and r.tenant_id = any($2::text[])`,
    [requestId, tenants],
  );
  return rows[0] === undefined ? null : toConflict(rows[0]);
}

function toConflict({
  stored,
  arrived,
  hashes,
  labels,
  conflictingFields,
  ...intake
}: ConflictRow): ConflictView {
  return {
    intake,
    conflictingFields: conflictingFields ?? [],
    differences: hashes === null ? null : differences(hashes, stored, arrived, labels),
  };
}

function differences(
  hashes: Record<string, boolean>,
  stored: Record<string, unknown>,
  arrived: Record<string, unknown>,
  labels: ConflictRow['labels'],
): ContentDifference[] {
  const kept = (values: Record<string, unknown>, field: string) =>
    Object.hasOwn(values, field) ? values[field] : undefined;
  const fields = Object.entries(hashes).map(([field, differs]) => ({
    field,
    differs,
    stored: kept(stored, field),
    arrived: kept(arrived, field),
  }));
  const labelled = Object.entries(labels)
    .filter(([, [left, right]]) => left !== null || right !== null)
    .map(([field, [left, right]]) => ({
      field,
      // A label on one side only is no conflict.
      differs: left !== null && right !== null && left !== right,
      stored: left,
      arrived: right,
    }));
  return [...fields, ...labelled].sort(
    (a, b) => Number(b.differs) - Number(a.differs) || (a.field < b.field ? -1 : 1),
  );
}
