// Two people under chaos: an operator and an approver who settle what is open, with the desk's own commands, from what the
// page would show them. Two of these processes are at work at once and get into each other's way as people do.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePool } from '@/lib/db/pool';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { Decision } from '@/lib/domain/decisions';
import type { DecisionOffer } from '@/lib/domain/decision-offers';
import type { ExceptionView } from '@/lib/domain/exception-view';
import { asking } from '@/lib/lookup/ask-connector';
import { allowAttempts } from '@/lib/review/allow-attempts';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { getException } from '@/lib/review/get-exception';
import { getRequest } from '@/lib/review/get-request';
import { keepOriginal } from '@/lib/review/keep-original';
import { linkResult } from '@/lib/review/link-result';
import { lookUpNow } from '@/lib/review/look-up-now';
import { requestReissue } from '@/lib/review/request-reissue';
import { actorOf } from '../people';
import { monotonic, note, type Instruction, type OperatorOrder } from './orders';
import { Points, watchStatements } from './points';

const ROUND_MS = 300;
/** Milliseconds before one exception is looked up again by hand. */
const LOOK_EVERY_MS = 1_500;
const RATIONALE = 'Seen in the outside system, looked for by the execution key.';

const order = JSON.parse(process.env['CHAOS_ORDER'] ?? '') as OperatorOrder;
const points = new Points();
watchStatements(points);
process.on('message', (instruction: Instruction) => points.arm(instruction.arms ?? []));
process.once('disconnect', () => process.exit(0));

const pool = makePool({ connectionString: order.databaseUrl, name: 'pages', max: 6 });
const ask = asking(process.env, () => undefined);
const looked = new Map<string, number>();

/** As a request would: rights read afresh each time. */
async function person(personId: string): Promise<LookingContext> {
  const actor = await actorOf({ pool: () => pool }, personId);
  const sessionId = order.sessions[personId] ?? '';
  const context = {
    actor: { kind: 'person' as const, id: personId },
    requestId: randomUUID(),
    sourceAddress: null,
    sessionId,
  };
  return { actor, context, pool, asking: ask };
}

async function round(): Promise<void> {
  const operator = await person(order.operatorId);
  const { rows: open } = await pool.query<{ exception_id: string }>(
    `select exception_id from review.exceptions where state = 'OPEN' and tenant_id = any($1) order by opened_at limit 30`,
    [operator.actor.tenantIds],
  );
  for (const { exception_id } of open) await settle(operator, exception_id);
  const approver = await person(order.approverId);
  const { rows: waiting } = await pool.query<{ request_id: string }>(
    `select request_id from review.approval_requests where state = 'PENDING' and tenant_id = any($1) and requested_by <> $2
     order by requested_at limit 30`,
    [approver.actor.tenantIds, order.approverId],
  );
  for (const { request_id } of waiting) await decide(approver, request_id);
}

async function settle(operator: LookingContext, exceptionId: string): Promise<void> {
  const view = await getException(operator, exceptionId);
  if (view === null || view.exception.state !== 'OPEN') return;
  const free = (decision: Decision) =>
    view.offers.find((each) => each.decision === decision && each.refusal === null);
  const prefersNewKey = view.execution !== null && wantsNewKey(view.execution.key);
  const reissue = free('REQUEST_REISSUE');
  const retry = reissue?.relations.find(
    ({ relation, refusal }) => relation === 'RETRY_AS_NEW' && refusal === null,
  );
  const link = free('LINK_RESULT');
  const again = free('CONFIRM_NOT_APPLIED');
  const keep = free('KEEP_ORIGINAL');
  const allow = free('ALLOW_ATTEMPTS');
  if (link !== undefined) return act(operator, view, 'LINK_RESULT', linkResult, evidence(link));
  if (prefersNewKey && retry !== undefined) {
    const wish = { relation: 'RETRY_AS_NEW', originalFate: 'It never happened.', intakeId: null };
    return act(operator, view, 'REQUEST_REISSUE', requestReissue, { ...evidence(retry), ...wish });
  }
  if (again !== undefined)
    return act(operator, view, 'CONFIRM_NOT_APPLIED', confirmNotApplied, evidence(again));
  if (keep !== undefined) return act(operator, view, 'KEEP_ORIGINAL', keepOriginal, {});
  if (allow !== undefined) return act(operator, view, 'ALLOW_ATTEMPTS', allowAttempts, { attempts: 5 });
  if (view.lookupRefusal === null && Date.now() - (looked.get(exceptionId) ?? 0) > LOOK_EVERY_MS) {
    looked.set(exceptionId, Date.now());
    await lookUpNow(operator, { exceptionId });
  }
}

const evidence = ({ evidenceId, lookAgain }: Pick<DecisionOffer, 'evidenceId' | 'lookAgain'>) => ({
  evidenceId,
  lookAgain,
});

/** The plan says so in the key, so that two people do not undo each other; a key that was made anew is kept. */
const wantsNewKey = (key: string) => key.endsWith('.new-key');

async function act(
  ctx: LookingContext,
  view: ExceptionView,
  decision: Decision,
  command: (ctx: LookingContext, input: unknown) => Promise<CommandAnswer>,
  more: object,
): Promise<void> {
  const { exceptionId, version } = view.exception;
  const form = { exceptionId, exceptionVersion: version, executionVersion: view.execution?.version ?? null };
  await attempt(decision, view.execution?.key ?? null, (operationId) =>
    command(ctx, { ...form, operationId, rationale: RATIONALE, ...more }),
  );
}

async function decide(approver: LookingContext, requestId: string): Promise<void> {
  const request = await getRequest(approver, requestId);
  if (request === null || request.decideRefusal !== null) return;
  const { digest, lookAgain } = request;
  await attempt('APPROVE', request.execution?.key ?? null, (operationId) =>
    decideRequest(approver, {
      requestId,
      operationId,
      digest,
      lookAgain,
      verdict: 'APPROVE',
      rationale: RATIONALE,
    }),
  );
}

/** Writes down that a person acted and what they were told; a killed process leaves an act without an answer. */
async function attempt(
  decision: string,
  key: string | null,
  work: (operationId: string) => Promise<CommandAnswer>,
): Promise<void> {
  const operationId = randomUUID();
  const line = { type: 'decision' as const, decision, key, operationId, invokedAt: monotonic() };
  note(order.notebook, { ...line, returnedAt: null, outcome: null });
  const answer = await work(operationId);
  note(order.notebook, { ...line, returnedAt: monotonic(), outcome: answer.outcome });
}

process.send?.({ ready: true });
for (;;) {
  try {
    await round();
  } catch {
    // The database or the way to it is away: people reload the page.
  }
  await sleep(ROUND_MS);
}
