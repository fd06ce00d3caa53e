import 'server-only';
import { JOB_CAP, LINK_JOB_CAP } from '@/lib/domain/bulk-job';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { DeskContext } from '../desk-context';
import { exceptionConditions, statesOf, tenantsOf, type ExceptionFilter } from '../exception-filter';
import { judgeLinks } from '../preview-links';
import type { ReadContext } from '../read-context';
import { searchScope } from '../search-scope';
import { SqlParameters } from '../sql-parameters';

/** An exception of a job, in the version in which it was seen; of a link with what its preview found. */
export interface FrozenRow {
  exceptionId: string;
  exceptionVersion: string;
  executionVersion?: string | null;
  evidenceId?: string | null;
  lookAgain?: boolean;
  code?: RefusalCode | null;
}

/**
 * All that a filter finds at this moment, the most severe first, by the conditions of the queue's list itself; beyond the
 * cap they are counted and left out.
 */
export async function matchingRows(
  { actor, db }: ReadContext,
  filter: ExceptionFilter,
): Promise<{ rows: FrozenRow[]; matched: number } | 'too-broad'> {
  const tenants = tenantsOf(actor, filter);
  const search = await searchScope(db, filter.text, tenants);
  if (search === 'too-broad') return 'too-broad';
  const $ = new SqlParameters();
  const { rows } = await db.query<FrozenRow & { matched: number } & Record<string, unknown>>(
    `select x.exception_id as "exceptionId", x.version::text as "exceptionVersion", count(*) over ()::integer as matched
       from review.exceptions x
      where x.tenant_id = any(${$.add(tenants, 'text[]')}) and x.state = any(${$.add(statesOf(filter), 'text[]')})
        and ${exceptionConditions(filter, search, actor, $)}
      order by x.severity, x.due_at, x.exception_id limit ${$.add(JOB_CAP, 'integer')}`,
    $.values,
  );
  return {
    rows: rows.map(({ exceptionId, exceptionVersion }) => ({ exceptionId, exceptionVersion })),
    matched: rows[0]?.matched ?? 0,
  };
}

// Index: bulk_job_rows_by_state. Whose job it may be is judged with the new one.
const LEFT = `
  select x.exception_id as "exceptionId", x.version::text as "exceptionVersion"
    from review.bulk_job_rows w join review.exceptions x on x.exception_id = w.exception_id
   where w.job_id = $1::uuid and w.state <> 'DONE' and x.tenant_id = any($2::text[]) order by w.row_number`;

/** What an ended job has not brought about, in the versions of now. */
export async function rowsLeft(ctx: DeskContext, jobId: string): Promise<FrozenRow[]> {
  return (await ctx.pool.query<FrozenRow & Record<string, unknown>>(LEFT, [jobId, ctx.actor.tenantIds])).rows;
}

/** The rows of a link with what its preview shows; more than can be compared are refused whole, where they are kept. */
export async function judgedLinks(ctx: DeskContext, rows: readonly FrozenRow[]): Promise<FrozenRow[]> {
  if (rows.length > LINK_JOB_CAP) return [...rows];
  const judged = await judgeLinks(
    { actor: ctx.actor, db: ctx.pool },
    rows.map((row) => row.exceptionId),
  );
  const found = new Map(judged.map((each) => [each.exceptionId, each]));
  return rows.map((row) => {
    const link = found.get(row.exceptionId);
    if (link === undefined) return row;
    return {
      ...row,
      executionVersion: link.executionVersion,
      evidenceId: link.found?.evidenceId ?? null,
      lookAgain: link.lookAgain,
      code: link.leftOut,
    };
  });
}
