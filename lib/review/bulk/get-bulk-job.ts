import 'server-only';
import type { Actor } from '@/lib/domain/actor';
import { isEnded, type JobRow, type JobView, type RowFilter } from '@/lib/domain/bulk-job';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { ReadContext } from '../read-context';
import { JOB_LINE, MAY_SEE, maySee } from './job-line';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Rows of one page. */
const PAGE = 50;

const JOB = `
  select ${JOB_LINE}, ledger.instant(ledger.clock()) as now, j.filter, j.words, j.matched, j.retry_of as "retryOf", j.rate, j.canary,
         j.canary_passed as "canaryPassed", ledger.instant(j.started_at) as "startedAt", j.params->>'until' as until, j.params->>'place' as place,
         case when a.person_id is not null then jsonb_build_object('personId', a.person_id, 'displayName', a.display_name) end as assignee,
         coalesce((select jsonb_agg(jsonb_build_object('code', s.foreseen, 'rows', s.so_many) order by s.so_many desc, s.foreseen) from (
            select w.foreseen, count(*) as so_many from review.bulk_job_rows w where w.job_id = j.job_id and w.foreseen is not null group by 1) s),
           '[]') as foreseen
    from review.bulk_jobs j
    join review.tenants t on t.tenant_id = j.tenant_id
    join review.people p on p.person_id = j.started_by
    left join review.people a on a.person_id::text = j.params->>'assigneeId'
   where j.job_id = $3::uuid and ${MAY_SEE}`;

// Indexes: bulk_job_rows_pkey, bulk_job_rows_by_state.
const rowsWhere = (state: string) => `
  select w.row_number as "rowNumber", w.exception_id as "exceptionId", x.kind, x.operation, e.idempotency_key as key, w.state, w.foreseen,
         case when w.state = 'REFUSED' then w.code end as refusal, case when w.state = 'FAILED' then w.code end as fault,
         ledger.instant(w.ended_at) as "endedAt"
    from review.bulk_job_rows w
    join review.exceptions x on x.exception_id = w.exception_id
    left join ledger.executions e on e.execution_id = x.execution_id
   where w.job_id = $1::uuid and w.row_number > $2 ${state} order by w.row_number limit ${PAGE + 1}`;

const ROWS = rowsWhere('');
const ROWS_OF_STATE = rowsWhere('and w.state = $3');

type Read = Omit<JobView, 'rows' | 'next' | 'refusals'>;

/** A bulk job with a page of its rows; null for whom it does not concern. */
export async function getBulkJob(
  ctx: ReadContext,
  jobId: string,
  page: { state: RowFilter; after: number },
): Promise<JobView | null> {
  if (!UUID.test(jobId)) return null;
  const { rows: found } = await ctx.db.query<Read & Record<string, unknown>>(JOB, [
    ...maySee(ctx.actor),
    jobId,
  ]);
  const [job] = found;
  if (job === undefined) return null;
  const { rows } = await ctx.db.query<JobRow & Record<string, unknown>>(
    page.state === null ? ROWS : ROWS_OF_STATE,
    page.state === null ? [jobId, page.after] : [jobId, page.after, page.state],
  );
  const shown = rows.slice(0, PAGE);
  return {
    ...job,
    rows: shown,
    next: rows.length > PAGE ? (shown.at(-1)?.rowNumber ?? null) : null,
    refusals: refusalsOf(ctx.actor, job),
  };
}

/** The same as the database judges, for buttons that say why they do nothing. */
function refusalsOf(actor: Actor, job: Read): JobView['refusals'] {
  const own = job.startedBy.personId === actor.personId ? null : 'NOT_YOUR_REQUEST';
  const role = hasRoleFor(actor, 'exception.assign') ? null : 'ROLE_MISSING';
  const ended = isEnded(job.state) ? 'JOB_ENDED' : null;
  return {
    start: own ?? role ?? ended ?? (job.state === 'PREVIEW' ? null : 'JOB_STARTED_ALREADY'),
    pause: ended ?? (job.state === 'RUNNING' ? null : 'JOB_NOT_RUNNING'),
    resume: own ?? role ?? ended ?? (job.state === 'PAUSED' ? null : 'JOB_NOT_PAUSED'),
    abort: ended,
    'change-rate': own ?? ended,
    retry: own ?? role,
  };
}
