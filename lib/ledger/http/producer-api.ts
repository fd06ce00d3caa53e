import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { sqlstateOf } from '@/lib/db/sqlstate';
import { ADDRESSES, type CallName } from './addresses';
import { apiDocument } from './api-document';
import { claim, keyless, register } from './arrivals';
import { authenticate } from './authenticate';
import type { ApiEnv, ApiContext, ProducerApiOptions } from './context';
import { problemOfDatabaseError } from './database-errors';
import { jsonResponse, ProblemError, problemResponse } from './problem';
import { CLAIM_LIMIT, OTHER_LIMIT, RateLimiter } from './rate-limit';
import { getExecution, listExecutions, listWorkflow } from './reads';
import { REPORT_VERBS, reportVerb } from './reports';

const HANDLERS: Readonly<Record<CallName, (c: ApiContext) => Promise<Response>>> = {
  claim,
  register,
  listExecutions,
  getExecution,
  effectStarted: (c) => reportVerb(c, 'effect-started'),
  heartbeat: (c) => reportVerb(c, 'heartbeat'),
  complete: (c) => reportVerb(c, 'complete'),
  fail: (c) => reportVerb(c, 'fail'),
  reportUnknown: (c) => reportVerb(c, 'unknown'),
  cancel: (c) => reportVerb(c, 'cancel'),
  listWorkflow,
  reportKeyless: keyless,
  getDocument: () => Promise.resolve(jsonResponse(200, apiDocument())),
};

const CALLS = Object.entries(ADDRESSES) as [CallName, (typeof ADDRESSES)[CallName]][];

/**
 * The producer API as one web-standard handler (`fetch`): Next mounts it at `/api/v1`, `npm run api` serves it alone.
 * Every answer that is no success is problem+json; nothing that the database or the framework says reaches a caller.
 */
export function createProducerApi(options: ProducerApiOptions): {
  fetch(request: Request): Promise<Response>;
} {
  const app = new Hono<ApiEnv>().basePath('/api/v1');
  const claims = new RateLimiter(options.claimLimit ?? CLAIM_LIMIT);
  const others = new RateLimiter(options.otherLimit ?? OTHER_LIMIT);

  app.use(async (c, next) => {
    const startedAt = performance.now();
    c.set('requestId', randomUUID());
    c.set('fieldHashKey', options.fieldHashKey);
    c.set('facts', {});
    await next();
    logRequest(options, c, performance.now() - startedAt);
  });

  // Address by address, so that a fixed one such as /executions/register is not taken for an id.
  for (const path of new Set(CALLS.map(([, address]) => address.path))) {
    const calls = CALLS.filter(([, address]) => address.path === path);
    for (const [name, { method, access }] of calls) {
      app.on(method, path, async (c) => {
        if (access !== 'open') {
          c.set('pool', options.pool());
          c.set('principal', await authenticate(c.var.pool, c.req.header('authorization') ?? null));
          (access === 'arrival' ? claims : others).take(c.var.principal.principalId);
        }
        return HANDLERS[name](c);
      });
    }
    const allowed = calls.map(([, { method }]) => method);
    app.all(path, () => {
      throw new ProblemError(
        'METHOD_NOT_ALLOWED',
        `Use ${allowed.join(' or ')}.`,
        {},
        { Allow: allowed.join(', ') },
      );
    });
  }
  app.notFound(() => problemResponse('NOT_FOUND', 'The API has no such address.'));
  app.onError((error, c) => errorResponse(error, c, options));
  return { fetch: async (request) => app.fetch(request) };
}

function errorResponse(error: unknown, c: ApiContext, options: ProducerApiOptions): Response {
  const problem = error instanceof ProblemError ? error : problemOfDatabaseError(error);
  const state = sqlstateOf(error);
  if (state !== undefined) c.var.facts.sqlstate = state;
  if (problem !== null) {
    c.var.facts.code ??= problem.code;
    return problemResponse(problem.code, problem.message, problem.extras, problem.headers);
  }
  c.var.facts.code = 'INTERNAL_ERROR';
  // The message and stack may hold values; only the kind of error and its place in our code are logged.
  options.log.error(
    { requestId: c.var.requestId, kind: kindOf(error), sqlstate: state, at: placeOf(error) },
    'producer request failed',
  );
  return problemResponse(
    'INTERNAL_ERROR',
    'The request could not be answered. Whether anything was stored can be read by the key.',
    {
      instance: `urn:uuid:${c.var.requestId}`,
    },
  );
}

const kindOf = (error: unknown) => (error instanceof Error ? error.constructor.name : typeof error);

/** Names of the functions on the stack, without the message above them. */
function placeOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return (
    frames
      .slice(0, 4)
      .map((line) => line.trim())
      .join(' < ') || undefined
  );
}

/** One line per request with fields from this list only: no keys, tokens, bodies or addresses (PR-07). */
function logRequest(options: ProducerApiOptions, c: ApiContext, durationMs: number): void {
  const { facts, requestId } = c.var;
  const principal = c.get('principal') as ApiEnv['Variables']['principal'] | undefined;
  options.log.info(
    {
      requestId,
      method: c.req.method,
      route: routeOf(c.req.path),
      status: c.res.status,
      code: facts.code,
      principalId: principal?.principalId,
      operation: facts.operation,
      executionId: facts.executionId,
      sqlstate: facts.sqlstate,
      durationMs: Math.round(durationMs),
    },
    'producer request',
  );
}

/** The address without what callers put into it. */
function routeOf(path: string): string {
  const [, , , collection = '', second, third] = path.split('/');
  if (!['executions', 'intakes', 'workflows'].includes(collection)) return 'unknown';
  const verb = REPORT_VERBS.find((each) => each === third);
  if (second === 'register' || second === 'keyless') return `/${collection}/${second}`;
  return `/${collection}${second === undefined ? '' : '/:id'}${verb === undefined ? '' : `/${verb}`}`;
}
