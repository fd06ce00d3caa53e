import 'server-only';
import { z } from 'zod';
import { BULK_CAP, type FoundResult, type LinkCandidate, type LinkPreview } from '@/lib/domain/bulk-acts';
import { bulkLinkStanding } from '@/lib/domain/bulk-link';
import type { ExceptionKind, ExceptionState } from '@/lib/domain/exception-kinds';
import { safeParse } from '@/lib/domain/safe-parse';
import type { ReadContext } from './read-context';
import { STEP_FIELDS, type StepRead } from './step-fields';

const input = z.array(z.uuid()).min(1).max(BULK_CAP);

// By primary keys; evidence as the queue reads it.
const SELECTED = `
  select x.exception_id as "exceptionId", x.version::text as "exceptionVersion", e.version::text as "executionVersion", x.kind,
    x.state, x.operation, e.idempotency_key as key, f.authority, ${STEP_FIELDS} as step
  from review.exceptions x left join ledger.executions e on e.execution_id = x.execution_id
  cross join lateral ledger.policy_for(x.tenant_id, x.operation) f
  where x.exception_id = any($1::uuid[]) and x.tenant_id = any($2::text[])
  order by x.severity, x.due_at, x.exception_id`;

const FOUND = `
  select l.lookup_id as "evidenceId", l.result_id as "resultId", l.result_url as "resultUrl",
    case when l.connector_id is not null then l.external_status end as "externalStatus", ledger.instant(l.checked_at) as "checkedAt",
    coalesce(l.comparison, '[]') as comparison, coalesce(l.target_system, '') || chr(10) || coalesce(l.target_account, '') as place,
    cardinality(review.results_linked_elsewhere(l.execution_id, array[l.result_id])) > 0 as elsewhere
  from review.lookups l where l.lookup_id = any($1::uuid[]) and l.tenant_id = any($2::text[])`;

interface Selected extends Record<string, unknown> {
  exceptionId: string;
  exceptionVersion: string;
  executionVersion: string | null;
  kind: ExceptionKind;
  state: ExceptionState;
  operation: string;
  key: string | null;
  authority: string;
  step: StepRead;
}

interface Found extends FoundResult, Record<string, unknown> {
  place: string;
  elsewhere: boolean;
}

/**
 * R-053 What linking all of these would do: per exception the result that was found and how it compares, and whether that is
 * conclusive or why not. Changes nothing; linking judges again.
 */
export async function previewLinks(ctx: ReadContext, raw: unknown): Promise<LinkPreview> {
  const ids = safeParse(input, raw);
  if (!ids.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  const rows = await judgeLinks(ctx, ids.data);
  return rows.length < new Set(ids.data).size
    ? { outcome: 'refused', code: 'NOT_FOUND' }
    : { outcome: 'previewed', rows };
}

/** The same of any number of them, as far as they are the person's to see: a result shown twice is seen across all. */
export async function judgeLinks(ctx: ReadContext, ids: readonly string[]): Promise<LinkCandidate[]> {
  const { tenantIds } = ctx.actor;
  const { rows: selected } = await ctx.db.query<Selected>(SELECTED, [ids, tenantIds]);
  const judged = selected.map((each) => ({
    each,
    standing: bulkLinkStanding({
      ...each.step,
      kind: each.kind,
      state: each.state,
      rights: ctx.actor,
      authority: each.authority,
      now: new Date(each.step.now),
    }),
  }));
  const evidence = judged.flatMap(({ standing }) => standing.evidenceId ?? []);
  const { rows: found } = await ctx.db.query<Found>(FOUND, [evidence, tenantIds]);
  const byId = new Map(found.map((look) => [look.evidenceId, look]));
  const nameOf = (look: Found) => JSON.stringify([look.place, look.resultId]);
  const shown = new Map<string, number>();
  for (const look of byId.values()) shown.set(nameOf(look), (shown.get(nameOf(look)) ?? 0) + 1);
  return judged.map(({ each, standing }): LinkCandidate => {
    const look = byId.get(standing.evidenceId ?? '') ?? null;
    const elsewhere = look?.elsewhere === true ? 'RESULT_LINKED_ELSEWHERE' : null;
    const times = look === null || look.resultId === null ? 0 : (shown.get(nameOf(look)) ?? 0);
    const twice = times > 1 ? 'RESULT_SHOWN_TWICE' : null;
    return {
      exceptionId: each.exceptionId,
      exceptionVersion: each.exceptionVersion,
      executionVersion: each.executionVersion,
      kind: each.kind,
      operation: each.operation,
      key: each.key,
      found: look && resultOf(look),
      lookAgain: standing.lookAgain,
      leftOut: standing.refusal ?? elsewhere ?? twice,
    };
  });
}

// Named one by one: what is not listed here does not leave the server.
function resultOf({
  evidenceId,
  resultId,
  resultUrl,
  externalStatus,
  checkedAt,
  comparison,
}: Found): FoundResult {
  return { evidenceId, resultId, resultUrl, externalStatus, checkedAt, comparison };
}
