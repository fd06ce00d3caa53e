import { newAttemptId } from './attempt-id';
import { EffectFetch } from './effect-fetch';
import { LeaseKeeper } from './lease-keeper';
import { reportDoubt, reportFailure, reportSuccess, storeOptions } from './report-outcome';
import { runEffect, type Effect } from './run-effect';
import type {
  CallOptions,
  ClaimAnswer,
  Claimed,
  ClaimRequest,
  ClientClock,
  EffectContext,
  LedgerClient,
  OnceOptions,
  OnceOutcome,
  Unavailable,
} from './types';

/** Milliseconds; storing what has happened is worth more patience than asking whether it may happen. */
const STORE_DEADLINE = 60_000;

interface Surroundings {
  readonly client: LedgerClient;
  readonly clock: ClientClock;
  readonly fetch: typeof globalThis.fetch;
  /** Attempts that run in this client now: one attempt id never runs twice at once, whoever delivers it twice. */
  readonly running: Set<string>;
}

/**
 * Claim, announce, run, report. The effect runs at most once per call, only while the lease is ours, and every way out
 * of it is reported: a result, a certain failure, or doubt.
 */
export async function once(around: Surroundings, options: OnceOptions, effect: Effect): Promise<OnceOutcome> {
  const { running } = around;
  const { effectTimeoutMs } = options;
  if (effectTimeoutMs !== undefined && !(effectTimeoutMs > 0))
    throw new TypeError(`effectTimeoutMs is no time: ${effectTimeoutMs}`);
  // Delivered twice to this client at once: the second is a rival of the first, and gets what the first one has come to.
  const twin = options.attemptId !== undefined && running.has(options.attemptId);
  const attemptId = twin ? newAttemptId() : (options.attemptId ?? newAttemptId());
  const mine = { ...options, attemptId };
  running.add(attemptId);
  try {
    return await claimAndRun(around, mine, effect);
  } finally {
    running.delete(attemptId);
  }
}

async function claimAndRun(around: Surroundings, options: OnceOptions, effect: Effect): Promise<OnceOutcome> {
  const { client } = around;
  const {
    signal,
    retry,
    wait,
    storeDeadlineMs = STORE_DEADLINE,
    effectTimeoutMs: _effectTimeoutMs,
    mayRepeat: _mayRepeat,
    beforeEffect,
    ...request
  } = options;
  const store = storeOptions(storeDeadlineMs);
  const claim = await claimForUs(client, request, { signal, retry, wait });
  if (claim.kind !== 'CLAIMED') return claim;
  if (claim.startedBefore) {
    const message = 'an earlier run of this attempt was interrupted after its effect started';
    return reportDoubt(client, claim, 'INTERRUPTED', message, store);
  }
  if (beforeEffect !== undefined && !(await beforeEffect(claim))) return release(client, claim, store);
  return announceAndRun(around, claim, options, store, effect);
}

type OurClaim = Claimed & { readonly startedBefore: boolean };

/**
 * A claim that nobody else works on. An attempt id can come twice: from a killed process that left it behind, or from a
 * queue that delivered it to two. Whose it is the owner tells; of another's attempt we are a rival, and ask as one.
 */
async function claimForUs(
  client: LedgerClient,
  request: ClaimRequest,
  call: CallOptions,
): Promise<OurClaim | Exclude<ClaimAnswer, Claimed>> {
  const claim = await client.claim(request, call);
  if (claim.kind !== 'CLAIMED') return claim;
  if (claim.disposition !== 'SAME_ATTEMPT') return { ...claim, startedBefore: false };
  const found = await client.get(claim.executionId, call);
  if (found.kind !== 'OK') return found;
  if (found.value.owner === (request.owner ?? client.owner)) {
    if (found.value.effectStartedAt !== null) return { ...claim, startedBefore: true };
    const kept = await keepLease(client, claim, request, call);
    if (kept !== null) return kept;
  }
  const rival = await client.claim({ ...request, attemptId: newAttemptId() }, call);
  return rival.kind === 'CLAIMED' ? { ...rival, startedBefore: false } : rival;
}

/**
 * The lease of an attempt that was left before its effect may be over; nobody may start on it then (R-027a). A heartbeat
 * takes it up again. Null when it is not ours any more: then the work is claimed like anybody's.
 */
async function keepLease(
  client: LedgerClient,
  claim: Claimed,
  { leaseSeconds }: ClaimRequest,
  call: CallOptions,
): Promise<OurClaim | Unavailable | null> {
  const { executionId, fencingToken } = claim;
  const beat = await client.heartbeat(executionId, { fencingToken, leaseSeconds }, call);
  if (beat.kind === 'UNAVAILABLE') return beat;
  if (beat.kind === 'REFUSED') return null;
  const { leaseExpiresAt } = beat.value;
  return { ...claim, leaseExpiresAt: leaseExpiresAt ?? claim.leaseExpiresAt, startedBefore: false };
}

/** Announces the effect and runs it; what cannot be announced is given back. */
async function announceAndRun(
  { client, clock, fetch }: Surroundings,
  claim: Claimed,
  options: OnceOptions,
  store: CallOptions,
  effect: Effect,
): Promise<OnceOutcome> {
  const { signal, retry, leaseSeconds, deadline, effectTimeoutMs, mayRepeat = () => false } = options;
  const { executionId, fencingToken, attempt, attemptId } = claim;
  const externalRequestKey = options.externalRequestKey ?? options.key;
  const askedAt = clock.now();
  const announcement = { fencingToken, externalRequestKey };
  const started = await client.effectStarted(executionId, announcement, { signal, retry });
  if (started.kind === 'REFUSED')
    return started.code === 'FENCED' ? { kind: 'FENCED', executionId, effectRan: false } : started;
  if (started.kind === 'UNAVAILABLE') {
    // The announcement may have arrived; that nothing was sent is certain, and worth one more try to say so.
    const once = { retry: { maxAttempts: 2, deadlineMs: 2_000 } };
    await client.fail(executionId, notSent(claim, 'ANNOUNCEMENT_LOST'), once);
    return started;
  }

  const keeper = new LeaseKeeper(client, clock, claim, started.value, { askedAt, leaseSeconds, deadline });
  // NaN included: without a time that can be told there is none. An effect that may take longer than there is time for
  // it is not begun (B-34).
  const isTime = keeper.left > 0 && keeper.longestLeft >= (effectTimeoutMs ?? 0);
  if (!isTime || signal?.aborted === true) return release(client, claim, store);
  const stop = new AbortController();
  const over = AbortSignal.any([keeper.signal, stop.signal, ...(signal === undefined ? [] : [signal])]);
  const sends = new EffectFetch(fetch, over, mayRepeat);
  const context: EffectContext = {
    executionId,
    key: options.key,
    attempt,
    attemptId,
    fencingToken,
    externalRequestKey: started.value.externalRequestKey ?? externalRequestKey,
    signal: over,
    fetch: sends.fetch,
    sendBefore: started.value.sendBefore,
    report: (progress) => keeper.beat(progress),
  };
  keeper.run();
  const end = await runEffect(clock, effect, context, stop, effectTimeoutMs);
  keeper.stop();
  const succeeded = (result: unknown) => reportSuccess(client, claim, result, options.target, store);
  if (end.ok) return succeeded(end.result);
  // After a refused repetition the inner client has not seen how the first send ended: its word on it is no proof.
  const outcome = await reportFailure(client, claim, sends.refused ?? end.error, store);
  if (end.pending === null) return outcome;
  // A result that comes after all is the proof that the doubt waits for.
  const late = end.pending.then(succeeded).catch(() => null);
  return outcome.kind === 'IN_DOUBT' ? { ...outcome, late } : outcome;
}

/** Gives a claim back untouched; the proof is that we never sent. */
async function release(client: LedgerClient, claim: Claimed, store: CallOptions): Promise<OnceOutcome> {
  const answer = await client.fail(claim.executionId, notSent(claim, 'RELEASED'), store);
  if (answer.kind === 'REFUSED' && answer.code === 'FENCED')
    return { kind: 'FENCED', executionId: claim.executionId, effectRan: false };
  return {
    kind: 'RELEASED',
    executionId: claim.executionId,
    execution: answer.kind === 'OK' ? answer.value : null,
  };
}

function notSent(claim: Claimed, code: string) {
  const message = 'released before anything was sent';
  return { fencingToken: claim.fencingToken, retryable: true, basis: 'NOT_SENT', code, message } as const;
}
