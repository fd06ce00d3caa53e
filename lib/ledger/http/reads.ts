import type { z } from 'zod';
import { openCursor, sealCursor } from '@/lib/db/cursor';
import { statement } from '@/lib/db/statement';
import type { Execution } from '../client/wire';
import { requireOperation } from './authenticate';
import { knownExecution } from './claim-answer';
import type { ApiContext } from './context';
import { parseQuery, queryFault, shown } from './parse-input';
import { jsonResponse } from './problem';
import { byKeyQuery, waitingQuery, workflowQuery } from './query-schemas';
import { notFound, readExecutionId } from './reports';

const OWN = `
  select ledger.execution_json(e) as execution, ledger.instant(e.created_at) as created_at
  from ledger.executions e
  where e.principal_id = $1 and ($2::text[] is null or e.operation = any ($2))`;

interface ExecutionRow {
  readonly execution: Execution;
  readonly created_at: string;
}

async function readRows(
  c: ApiContext,
  condition: string,
  values: readonly unknown[],
): Promise<ExecutionRow[]> {
  const { principalId, operations } = c.var.principal;
  const text = `${OWN} and ${condition}`;
  const { rows } = await statement<ExecutionRow>(c.var.pool, text, [principalId, operations, ...values], {
    repeatable: true,
  });
  rows.forEach((row) => knownExecution(row.execution));
  return rows;
}

/** `GET /executions/{id}`: own scope only; unknown and foreign ids are one answer. */
export async function getExecution(c: ApiContext): Promise<Response> {
  const [row] = await readRows(c, 'e.execution_id = $3', [readExecutionId(c)]);
  if (row === undefined) throw notFound();
  return jsonResponse(200, row.execution);
}

/** `GET /executions?operation=&key=`, `?state=` and `?workflowId=`; a filter that is missing is never "all rows" (BI-06). */
export async function listExecutions(c: ApiContext): Promise<Response> {
  const query = readQuery(c);
  if ('state' in query) return listWaiting(c, parseQuery(waitingQuery, query));
  if ('workflowId' in query) return listSteps(c, parseQuery(workflowQuery, query));
  return findByKey(c, parseQuery(byKeyQuery, query));
}

async function findByKey(c: ApiContext, query: z.output<typeof byKeyQuery>): Promise<Response> {
  requireOperation(c.var.principal, query.operation);
  const rows = await readRows(c, 'e.operation = $3 and e.idempotency_key = $4', [query.operation, query.key]);
  return jsonResponse(200, { items: rows.map((row) => row.execution), nextCursor: null });
}

/** No attempts are left and somebody has been asked: until then, the next claim is what asks. */
const WAITS_FOR_A_PERSON = `(e.attempts_spent >= e.attempts_allowed and exists (select from review.exceptions x
    where x.execution_id = e.execution_id and x.state = 'OPEN' and x.kind = 'RETRY_STALLED'))`;

/** Work that waits for an executor, oldest first; what was replaced by a new key waits no more. */
async function listWaiting(c: ApiContext, query: z.output<typeof waitingQuery>): Promise<Response> {
  if (query.operation !== undefined) requireOperation(c.var.principal, query.operation);
  const reissued =
    query.reissued === 'true'
      ? 'e.reissue_of is not null'
      : query.reissued === 'false'
        ? 'e.reissue_of is null'
        : 'true';
  const condition = `e.state = $3 and e.superseded_by is null and not ${WAITS_FOR_A_PERSON}
    and ($4::text is null or e.operation = $4) and ${reissued}`;
  const binding = ['waiting', query.state, query.operation ?? '', query.reissued ?? ''];
  return page(c, {
    condition,
    values: [query.state, query.operation ?? null],
    binding,
    limit: query.limit,
    cursor: query.cursor,
  });
}

/** `GET /workflows/{workflowId}`: the steps of one workflow, in the order in which they came. */
export async function listWorkflow(c: ApiContext): Promise<Response> {
  return listSteps(
    c,
    parseQuery(workflowQuery, { ...readQuery(c), workflowId: c.req.param('workflowId') ?? '' }),
  );
}

async function listSteps(c: ApiContext, query: z.output<typeof workflowQuery>): Promise<Response> {
  const rest = { limit: query.limit, cursor: query.cursor };
  return page(c, {
    condition: 'e.workflow_id = $3',
    values: [query.workflowId],
    binding: ['workflow', query.workflowId],
    ...rest,
  });
}

interface PageQuery {
  readonly condition: string;
  readonly values: readonly unknown[];
  readonly binding: readonly string[];
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Keyset pages: no row is skipped or seen twice, however many share one instant (B-104). */
async function page(c: ApiContext, query: PageQuery): Promise<Response> {
  const binding = ['producer-executions', c.var.principal.principalId, ...query.binding];
  const position = query.cursor === undefined ? [null, null] : openCursor(query.cursor, binding);
  if (position === null)
    throw queryFault([{ parameter: 'cursor', detail: 'is not one that this list gave' }]);
  const next = query.values.length + 3;
  const rows = await readRows(
    c,
    `${query.condition} and ($${next}::timestamptz is null or (e.created_at, e.execution_id) > ($${next}, $${next + 1}::uuid))
     order by e.created_at, e.execution_id limit $${next + 2}`,
    [...query.values, position[0] ?? null, position[1] ?? null, query.limit + 1],
  );
  const shown = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? shown.at(-1) : undefined;
  const nextCursor =
    last === undefined ? null : sealCursor([last.created_at, last.execution.executionId], binding);
  return jsonResponse(200, { items: shown.map((row) => row.execution), nextCursor });
}

/** A parameter given twice has no one meaning, so it is refused. */
function readQuery(c: ApiContext): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    const [value] = values;
    if (values.length !== 1 || value === undefined)
      throw queryFault([{ parameter: shown(name), detail: 'is given more than once' }]);
    query[name] = value;
  }
  return query;
}
