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

const CONFLICTS = `
  select ${INTAKE}, i.conflicting_fields as "conflictingFields", coalesce(i.display_fields, '{}') as arrived,
    coalesce(e.display_fields, first.display_fields, '{}') as stored,
    case when coalesce(e.field_hashes, first.field_hashes) is null or i.field_hashes is null then null else (
      select jsonb_object_agg(coalesce(s.key, a.key), s.value is distinct from a.value)
      from jsonb_each(coalesce(e.field_hashes, first.field_hashes)) s full join jsonb_each(i.field_hashes) a on a.key = s.key) end as hashes,
    jsonb_build_object('contentVersion', jsonb_build_array(e.content_version, i.content_version),
      'target.system', jsonb_build_array(e.target_system, i.target_system),
      'target.account', jsonb_build_array(e.target_account, i.target_account)) as labels
  from ledger.intakes i join ledger.executions e on e.execution_id = i.execution_id
  left join lateral (select f.display_fields, f.field_hashes from ledger.intakes f where f.execution_id = e.execution_id
    and f.fingerprint = e.fingerprint order by f.received_at limit 1) first on true`;

/** The arrivals that brought other content under this key, newest first, each held against the stored record. */
export async function readConflicts(db: Queryable, executionId: string): Promise<ConflictView[]> {
  const { rows } = await db.query<Row<ConflictRow>>(
    `${CONFLICTS} where i.execution_id = $1::uuid and i.disposition = 'CONTENT_CONFLICT'
     order by i.received_at desc, i.intake_id desc limit 20`,
    [executionId],
  );
  return rows.map(toConflict);
}

/** One such arrival; null when there is none of that id. */
export async function readConflict(db: Queryable, intakeId: string): Promise<ConflictView | null> {
  const { rows } = await db.query<Row<ConflictRow>>(`${CONFLICTS} where i.intake_id = $1::uuid`, [intakeId]);
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
