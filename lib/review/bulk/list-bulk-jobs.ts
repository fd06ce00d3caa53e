import 'server-only';
import type { JobLine } from '@/lib/domain/bulk-job';
import { readCursor, takePage, afterPosition, orderBy, positionOf, type Keyset, type Page } from '../keyset';
import type { ReadContext } from '../read-context';
import { SqlParameters } from '../sql-parameters';
import { JOB_LINE, MAY_SEE, maySee } from './job-line';

const PAGE = 25;

const NEWEST: Keyset = {
  columns: [
    { expression: 'j.prepared_at', type: 'timestamptz' },
    { expression: 'j.job_id', type: 'uuid' },
  ],
  descending: true,
};

const FROM = `from review.bulk_jobs j
  join review.tenants t on t.tenant_id = j.tenant_id
  join review.people p on p.person_id = j.started_by
  where ${MAY_SEE}`;

type Line = JobLine & { position: string[] } & Record<string, unknown>;

/** Bulk jobs, newest first; null when the cursor is none of this list's. Indexes: bulk_jobs_recent, bulk_jobs_by_starter. */
export async function listBulkJobs(ctx: ReadContext, cursor: string | null): Promise<Page<JobLine> | null> {
  const [tenantIds, starter] = maySee(ctx.actor);
  const binding = ['bulk-jobs', starter ?? 'everybody', ...[...tenantIds].sort()];
  const position = cursor === null ? null : readCursor(cursor, NEWEST, binding);
  if (cursor !== null && position === null) return null;
  const $ = new SqlParameters();
  $.add(tenantIds, 'text[]');
  $.add(starter, 'uuid');
  const backwards = position?.backwards ?? false;
  const { rows } = await ctx.db.query<Line>(
    `select ${positionOf(NEWEST)} as position, ${JOB_LINE} ${FROM} and ${afterPosition(NEWEST, position, $)}
     order by ${orderBy(NEWEST, backwards)} limit ${PAGE + 1}`,
    $.values,
  );
  const page = takePage(rows, PAGE, position, binding);
  return { ...page, rows: page.rows.map(({ position: _position, ...line }) => line) };
}

// Index: bulk_jobs_under_way.
const UNDER_WAY = `select ${JOB_LINE} ${FROM} and j.state in ('RUNNING', 'PAUSED') order by j.prepared_at limit 5`;

/** The jobs that are under way, for a line above the queue. */
export async function listJobsUnderWay(ctx: ReadContext): Promise<JobLine[]> {
  return (await ctx.db.query<JobLine & Record<string, unknown>>(UNDER_WAY, maySee(ctx.actor))).rows;
}
