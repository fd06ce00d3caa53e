// An automation under chaos: claims, makes real effects in the sandbox's systems and reports, until each errand is settled.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLedgerClient,
  type EffectResult,
  type LedgerClient,
  type OnceOutcome,
} from '@/lib/ledger/client';
import { systemClock } from '@/lib/ledger/client/clock';
import { performEffect } from '@/lib/sandbox/automations/perform-effect';
import { note, readNotebook, type AutomationOrder, type Errand, type Instruction } from './orders';
import type { Point } from './plan';
import { strike } from './points';
import { recordingFetch } from './recording-fetch';

/** The automation's patience with an outside system; the sandbox's `hang` outlasts it, its `delay` does not. */
const EFFECT_DEADLINE_MS = 1_500;
/** With the ledger: who tries again anyhow need not wait, who tries once would lose its errand on a slow machine. */
const HASTY = { maxAttempts: 3, deadlineMs: 4_000, requestTimeoutMs: 2_500 };
const PATIENT = { maxAttempts: 3, deadlineMs: 20_000, requestTimeoutMs: 10_000 };

const order = JSON.parse(process.env['CHAOS_ORDER'] ?? '') as AutomationOrder;

process.on('message', (instruction: Instruction) => {
  for (const errand of instruction.errands ?? []) void run(errand);
});
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function run(errand: Errand): Promise<void> {
  try {
    await settle(errand);
  } catch (error) {
    console.error(`errand ${errand.id}:`, error);
  }
  note(order.notebook, { type: 'done', errand: errand.id });
  process.send?.({ done: errand.id });
}

async function settle(errand: Errand): Promise<void> {
  const earlier = readNotebook(order.notebook, [errand.id]).filter(
    (line) => 'errand' in line && line.errand === errand.id,
  );
  const moved = earlier.findLast((line) => line.type === 'moved');
  // An attempt without an outcome was interrupted with this process: it is taken up again as the same attempt.
  const open = earlier.findLast((line) => line.type === 'attempt' || line.type === 'outcome');
  let key = moved?.type === 'moved' ? moved.key : errand.key;
  let attemptId = open?.type === 'attempt' ? open.attemptId : null;
  let struck = errand.strike === null;
  const pass = async (point: Point) => {
    if (struck || errand.strike?.point !== point) return;
    struck = true;
    await strike(point, errand.strike, errand.id);
  };
  const client = createLedgerClient({
    baseUrl: order.serverUrls[0] ?? '',
    token: order.token,
    clock: { now: () => Date.now() + order.skewMs, sleep: (ms, signal) => systemClock.sleep(ms, signal) },
    fetch: recordingFetch({
      servers: order.serverUrls,
      notebook: order.notebook,
      process: `${order.name} ${errand.id}`,
      key: () => key,
      pass,
    }),
    retry: errand.once ? PATIENT : HASTY,
  });
  const faulty = errand.faults.length > 0 && !earlier.some((line) => line.type === 'effect');
  if (earlier.length === 0) await sleep(errand.delayMs);
  for (let tries = 0; ; tries += 1) {
    if (attemptId === null) {
      attemptId = randomUUID();
      note(order.notebook, { type: 'attempt', errand: errand.id, attemptId });
    }
    const outcome = await once(client, { errand, key, attemptId, pass, faulty: faulty && tries === 0 });
    note(order.notebook, {
      type: 'outcome',
      ...{ errand: errand.id, key, kind: outcome.kind, resultId: resultOf(outcome) },
    });
    attemptId = null;
    const next = whatNext(outcome);
    if (next === 'DONE' || errand.once) return;
    if (next !== 'AGAIN') {
      key = next.newKey;
      note(order.notebook, { type: 'moved', errand: errand.id, key });
    }
    await sleep(200 + Math.random() * 300);
  }
}

interface Try {
  readonly errand: Errand;
  readonly key: string;
  readonly attemptId: string;
  readonly pass: (point: Point) => Promise<void>;
  readonly faulty: boolean;
}

function once(client: LedgerClient, { errand, key, attemptId, pass, faulty }: Try): Promise<OnceOutcome> {
  const { operation, payload, system, account, workflowId } = errand;
  const request = {
    ...{ operation, key, attemptId, payload, workflowId },
    requestId: `REQ-${attemptId.slice(0, 8)}`,
    target: { system, account },
    externalRequestKey: key,
  };
  return client.once(request, async ({ signal }): Promise<EffectResult> => {
    await pass('effect.sending');
    // After a long stop the lease is over although its timer has not run yet.
    await sleep(0);
    signal.throwIfAborted();
    note(order.notebook, { type: 'effect', errand: errand.id });
    const effect = await performEffect(order.systems, {
      ...{ operation, key, payload, signal, deadlineMs: EFFECT_DEADLINE_MS },
      faults: faulty ? errand.faults : [],
    });
    await pass('effect.done');
    return effect;
  });
}

function resultOf(outcome: OnceOutcome): string | null {
  if (outcome.kind === 'RESULT_REUSED') return outcome.resultId;
  if (outcome.kind !== 'COMPLETED') return null;
  return outcome.execution.state === 'SUCCEEDED' ? outcome.execution.resultId : null;
}

function whatNext(outcome: OnceOutcome): 'DONE' | 'AGAIN' | { newKey: string } {
  switch (outcome.kind) {
    case 'COMPLETED':
      return outcome.execution.state === 'SUCCEEDED' ? 'DONE' : 'AGAIN';
    case 'REPLAYED':
    case 'RESULT_REUSED':
      return 'DONE';
    case 'FAILED':
      return outcome.retryable ? 'AGAIN' : 'DONE';
    case 'REFUSED':
      if (outcome.problem.newKey !== undefined && outcome.code === 'IDEMPOTENCY_KEY_SUPERSEDED')
        return { newKey: outcome.problem.newKey };
      return outcome.code === 'IDEMPOTENCY_KEY_REUSED' || outcome.code === 'EXECUTION_FAILED_FINAL'
        ? 'DONE'
        : 'AGAIN';
    case 'IN_DOUBT':
    case 'FENCED':
    case 'RELEASED':
    case 'DUPLICATE_HELD':
    case 'UNAVAILABLE':
      return 'AGAIN';
    default: {
      const impossible: never = outcome;
      throw new Error(`bug: unknown outcome ${JSON.stringify(impossible)}`);
    }
  }
}
