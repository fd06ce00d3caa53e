import { LeaseKeeper } from './lease-keeper';
import { reportDoubt, reportFailure, reportSuccess, settledElsewhere, storeOptions } from './report-outcome';
import type {
  CallOptions,
  Claimed,
  ClientClock,
  EffectContext,
  EffectResult,
  LedgerClient,
  OnceOptions,
  OnceOutcome,
} from './types';

/** Milliseconds; storing what has happened is worth more patience than asking whether it may happen. */
const STORE_DEADLINE = 60_000;

interface Surroundings {
  readonly client: LedgerClient;
  readonly clock: ClientClock;
}

/**
 * Claim, announce, run, report. The effect runs at most once per call, only while the lease is ours, and every way out
 * of it is reported: a result, a certain failure, or doubt.
 */
export async function once(
  { client, clock }: Surroundings,
  options: OnceOptions,
  effect: (context: EffectContext) => Promise<EffectResult>,
): Promise<OnceOutcome> {
  const {
    signal,
    retry,
    wait,
    storeDeadlineMs = STORE_DEADLINE,
    effectTimeoutMs,
    beforeEffect,
    ...request
  } = options;
  const call: CallOptions = { signal, retry };
  const store = storeOptions(storeDeadlineMs);

  const claim = await client.claim(request, { ...call, wait });
  if (claim.kind !== 'CLAIMED') return claim;

  // An earlier process with this attempt id may have been killed in the middle of the effect.
  if (request.attemptId !== undefined && claim.disposition === 'SAME_ATTEMPT') {
    const found = await client.get(claim.executionId, call);
    if (found.kind !== 'OK') return settledElsewhere(client, claim, found, false);
    if (found.value.effectStartedAt !== null) {
      return reportDoubt(
        client,
        claim,
        'INTERRUPTED',
        'an earlier run of this attempt was interrupted after its effect started',
        store,
      );
    }
  }
  if (beforeEffect !== undefined && !(await beforeEffect(claim))) return release(client, claim, store);

  const externalRequestKey = request.externalRequestKey ?? request.key;
  const askedAt = clock.now();
  const started = await client.effectStarted(
    claim.executionId,
    { fencingToken: claim.fencingToken, externalRequestKey },
    call,
  );
  if (started.kind === 'REFUSED') {
    return started.code === 'FENCED'
      ? { kind: 'FENCED', executionId: claim.executionId, effectRan: false }
      : started;
  }
  if (started.kind === 'UNAVAILABLE') {
    // The announcement may have arrived; that nothing was sent is certain, and worth one more try to say so.
    await client.fail(claim.executionId, notSent(claim, 'ANNOUNCEMENT_LOST'), {
      retry: { maxAttempts: 2, deadlineMs: 2_000 },
    });
    return started;
  }

  const keeper = new LeaseKeeper(client, clock, claim, started.value, askedAt, request.leaseSeconds);
  if (keeper.left <= 0 || signal?.aborted === true) return release(client, claim, store);
  const stop = new AbortController();
  const signals = [keeper.signal, stop.signal, ...(signal === undefined ? [] : [signal])];
  const context: EffectContext = {
    executionId: claim.executionId,
    key: request.key,
    attempt: claim.attempt,
    attemptId: claim.attemptId,
    fencingToken: claim.fencingToken,
    externalRequestKey: started.value.externalRequestKey ?? externalRequestKey,
    signal: AbortSignal.any(signals),
    sendBefore: started.value.sendBefore,
    report: (progress) => keeper.beat(progress),
  };
  keeper.run();
  const outcome = await settle(runEffect(clock, effect, context, stop, effectTimeoutMs));
  keeper.stop();
  return outcome.ok
    ? reportSuccess(client, claim, outcome.result, store)
    : reportFailure(client, claim, outcome.error, store);
}

/**
 * Waits for the effect until it ends or its signal aborts. An effect that ignores its signal is not waited for: what it
 * still does is the doubt that the report tells of.
 */
async function runEffect(
  clock: ClientClock,
  effect: (context: EffectContext) => Promise<EffectResult>,
  context: EffectContext,
  stop: AbortController,
  timeoutMs: number | undefined,
): Promise<EffectResult> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    context.signal.addEventListener('abort', () => reject(reasonOf(context.signal)), {
      once: true,
      signal: done.signal,
    });
  });
  if (timeoutMs !== undefined) {
    clock.sleep(timeoutMs, done.signal).then(
      () => stop.abort(new DOMException(`the effect took longer than ${timeoutMs} ms`, 'TimeoutError')),
      () => undefined,
    );
  }
  try {
    return await Promise.race([effect(context), aborted]);
  } finally {
    done.abort();
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError');
}

type Settled =
  { readonly ok: true; readonly result: EffectResult } | { readonly ok: false; readonly error: unknown };

async function settle(running: Promise<EffectResult>): Promise<Settled> {
  try {
    return { ok: true, result: (await running) ?? {} };
  } catch (error) {
    return { ok: false, error };
  }
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
