import { randomUUID } from 'node:crypto';
import { deriveStepKey } from '@/lib/domain/keys';
import {
  EffectInDoubt,
  NotSent,
  type ClaimRequest,
  type EffectContext,
  type EffectResult,
  type LedgerClient,
  type OnceOutcome,
} from '@/lib/ledger/client';
import { type Fault } from '../systems/fault';
import { intentSchema, type Intent, type OperationName, type Payload } from './intent';
import { performEffect, type Effect } from './perform-effect';
import { type Order } from './protocol';
import { type Reporter, type StepDetail } from './reporter';

export interface IntentDraft {
  operation: OperationName;
  step: string;
  businessRef: string;
  account: string;
  payload: Payload;
  unreachableAttempts?: number;
  neglected?: boolean;
  retransmitted?: boolean;
}

export interface RunOptions {
  faults?: readonly Fault[];
  /** The automation's own patience with the external system, in milliseconds. */
  deadlineMs?: number;
  reachable?: boolean;
  /** Work that comes before the outside call. */
  before?: (context: EffectContext) => Promise<void>;
  /** What happens outside after the answer was lost and before the ledger hears of it. */
  meanwhile?: () => Promise<void>;
  /** What is reported in place of the truth. */
  told?: (effect: Effect) => EffectResult;
}

const SYSTEM_OF: Record<OperationName, string> = {
  'create-crm-record': 'crm',
  'delete-crm-record': 'crm',
  'register-monthly-report': 'crm',
  'send-receipt-mail': 'mail',
  'create-payment': 'payment',
};

/** One automation at work: a workflow whose steps each have a key of their own, derived from the workflow's id. */
export class Automation {
  constructor(
    readonly order: Order,
    readonly client: LedgerClient,
    private readonly reporter: Reporter,
    private readonly round = 1,
  ) {}

  /** The same workflow goes on with another customer. */
  nextCustomer(): Automation {
    return new Automation(
      { ...this.order, seed: this.order.seed + 1 },
      this.client,
      this.reporter,
      this.round + 1,
    );
  }

  /** Keeps what is to be done, with its key, before anything is sent. */
  async intend(draft: IntentDraft): Promise<Intent> {
    const { account, ...rest } = draft;
    const step = this.round === 1 ? draft.step : `${draft.step}-${this.round}`;
    const { tenant, principal } = this.producer();
    const intent = intentSchema.parse({
      ...rest,
      step,
      type: 'intent',
      at: new Date().toISOString(),
      scenario: this.order.job,
      principal,
      key: deriveStepKey({ tenant, workflowId: this.order.workflowId, step }),
      requestId: makeRequestId(),
      workflowId: this.order.workflowId,
      target: { system: SYSTEM_OF[draft.operation], account },
      contentVersion: 'v1',
    });
    await this.reporter.report(intent);
    return intent;
  }

  /** Keeps other content that is about to be sent under the intent's key. */
  async intendOther(intent: Intent, payload: Payload, contentVersion: string): Promise<Intent> {
    await this.reporter.report({
      type: 'variant',
      operation: intent.operation,
      key: intent.key,
      contentVersion,
      payload,
    });
    return { ...intent, payload, contentVersion, requestId: makeRequestId() };
  }

  /** Does the intent once, under the ledger's protection, with whatever is told to go wrong. */
  async run(intent: Intent, options: RunOptions = {}): Promise<OnceOutcome> {
    const outcome = await this.client.once(this.claimOf(intent), async (context) => {
      await options.before?.(context);
      const effect = await this.effect(intent, context.executionId, options, context.signal);
      return options.told?.(effect) ?? effect;
    });
    await this.step('outcome', intent, { executionId: executionOf(outcome), note: describe(outcome) });
    return outcome;
  }

  /** The outside call between its two dangerous points. */
  async effect(
    intent: Intent,
    executionId: string,
    options: RunOptions,
    signal?: AbortSignal,
  ): Promise<Effect> {
    await this.step('before-send', intent, { executionId });
    try {
      const { operation, key, payload } = intent;
      const { faults, deadlineMs, reachable } = options;
      const effect = await performEffect(this.order.systems, {
        operation,
        key,
        payload,
        faults,
        deadlineMs,
        reachable,
        signal,
      });
      await this.step('after-commit', intent, { executionId, effectId: effect.resultId });
      return effect;
    } catch (error) {
      const timedOut = error instanceof EffectInDoubt;
      const event = timedOut ? 'time-out' : 'failed';
      if (timedOut || error instanceof NotSent)
        await this.step(error.code, intent, { executionId, event, note: error.message });
      await options.meanwhile?.();
      throw error;
    }
  }

  claimOf(intent: Intent): ClaimRequest {
    return claimOf(intent, this.order.leaseSeconds);
  }

  step(
    point: string,
    intent: Intent,
    detail: Omit<StepDetail, 'operation' | 'reference'> = {},
  ): Promise<void> {
    return this.reporter.step(point, { operation: intent.operation, reference: intent.key, ...detail });
  }

  note(point: string, detail: StepDetail): Promise<void> {
    return this.reporter.step(point, detail);
  }

  private producer() {
    const [producer] = this.order.producers;
    if (producer === undefined) throw new Error('bug: an order without a producer');
    return producer;
  }
}

export function claimOf(intent: Intent, leaseSeconds: number): ClaimRequest {
  const { operation, key, requestId, payload, contentVersion, target, workflowId, step, businessRef } =
    intent;
  return {
    ...{ operation, key, requestId, payload, contentVersion, target, workflowId, step, businessRef },
    externalRequestKey: key,
    leaseSeconds,
    attemptId: randomUUID(),
    traceId: randomUUID(),
  };
}

export function makeRequestId(): string {
  return `REQ-${randomUUID().slice(0, 8).toUpperCase()}`;
}

function executionOf(outcome: OnceOutcome): string | null {
  if ('executionId' in outcome) return outcome.executionId;
  return 'execution' in outcome ? outcome.execution.executionId : null;
}

/** One line for the log. */
export function describe(outcome: OnceOutcome): string {
  switch (outcome.kind) {
    case 'COMPLETED':
      return `completed as ${outcome.execution.state}`;
    case 'FAILED':
      return `failed as ${outcome.execution.state}`;
    case 'IN_DOUBT':
      return `in doubt: ${outcome.message}`;
    case 'FENCED':
      return outcome.effectRan ? 'fenced after the effect' : 'fenced before the effect';
    case 'RELEASED':
      return 'released';
    case 'REPLAYED':
      return `answered again with status ${outcome.status}`;
    case 'RESULT_REUSED':
      return `answered with result ${outcome.resultId}`;
    case 'DUPLICATE_HELD':
      return 'held: somebody else is at it';
    case 'REFUSED':
      return `refused: ${outcome.code}`;
    case 'UNAVAILABLE':
      return `no answer from the ledger: ${outcome.reason}`;
    default: {
      const impossible: never = outcome;
      throw new Error(`bug: unknown outcome ${JSON.stringify(impossible)}`);
    }
  }
}
