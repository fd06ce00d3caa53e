import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedgerClient, type ClaimRequest, type RetryPolicy } from '@/lib/ledger/client';
import { problemType, PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { VirtualClock } from '@/lib/testing/virtual-clock';

const request: ClaimRequest = {
  key: 'K-1',
  operation: 'refund.create',
  requestId: 'r',
  payload: { amount: 1 },
};

interface Sent {
  readonly at: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

function problem(code: ProblemCode, headers: Record<string, string> = {}, extras: object = {}): Response {
  const { status, title } = PROBLEM_CODES[code];
  const body = { type: problemType(code), title, status, detail: title, code, ...extras };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });
}

const claimed = () =>
  new Response(
    JSON.stringify({
      disposition: 'CLAIMED',
      executionId: 'e-1',
      fencingToken: '1',
      attempt: 1,
      leaseExpiresAt: '2026-11-29T00:01:00Z',
    }),
    { status: 201 },
  );

type Step = (clock: VirtualClock, init: RequestInit) => Response | Error | Promise<Response>;

/** A client before a scripted network; the last step repeats for ever. */
function scripted(steps: Step[], retry: Partial<RetryPolicy> = {}, random = () => 0.5) {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const step = steps[Math.min(sent.length, steps.length - 1)]!;
    sent.push({
      at: clock.now(),
      url: String(input),
      headers: init.headers as Record<string, string>,
      body: JSON.parse(String(init.body ?? '{}')) as Record<string, unknown>,
    });
    const outcome = await step(clock, init);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const client = createLedgerClient({
    baseUrl: 'http://ledger.test/',
    token: 'oo_live_x',
    fetch,
    clock,
    random,
    retry,
  });
  return {
    client,
    clock,
    sent,
    claim: (call?: Parameters<typeof client.claim>[1]) => clock.run(client.claim(request, call)),
  };
}

const lost: Step = () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
const hang: Step = (_, init) =>
  new Promise((_resolve, reject) =>
    init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );

describe('R-034 the retry helper', () => {
  it('R-021 B-76 B-02 repeats a lost claim with the same key, attempt id and body', async () => {
    const { sent, claim } = scripted([lost, lost, claimed]);
    const answer = await claim();
    expect(answer).toMatchObject({
      kind: 'CLAIMED',
      executionId: 'e-1',
      attemptId: sent[0]?.body['attemptId'],
    });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((each) => JSON.stringify([each.url, each.headers, each.body]))).size).toBe(1);
    expect(sent[0]?.headers['Idempotency-Key']).toBe('"K-1"');
    expect(sent[0]?.body['attemptId']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('R-034 retries what passes, and nothing else', async () => {
    for (const code of Object.keys(PROBLEM_CODES) as ProblemCode[]) {
      const { sent, claim } = scripted([() => problem(code, {}, { executionId: 'e-1' })]);
      const answer = await claim();
      const passing = [
        'RATE_LIMITED',
        'DATABASE_UNAVAILABLE',
        'RETRY_DEADLINE_EXCEEDED',
        'RETRY_LIMIT_REACHED',
        'REQUEST_STATUS_UNCONFIRMED',
      ].includes(code);
      expect(sent.length, code).toBe(passing ? 5 : 1);
      if (passing)
        expect(answer).toMatchObject({ kind: 'UNAVAILABLE', reason: 'ATTEMPTS_USED', code, sends: 5 });
      else if (code === 'REQUEST_IN_PROGRESS')
        expect(answer).toMatchObject({ kind: 'DUPLICATE_HELD', executionId: 'e-1' });
      else expect(answer).toMatchObject({ kind: 'REFUSED', code });
    }
  });

  it('B-85 R-034 stops on a reused key and on a result in doubt, and waits for one in progress only when told to', async () => {
    const busy: Step = () =>
      problem('REQUEST_IN_PROGRESS', { 'Retry-After': '3' }, { executionId: 'e-1', retryAfterSeconds: 3 });
    const patient = scripted([busy, busy, claimed]);
    expect(await patient.claim({ wait: true })).toMatchObject({ kind: 'CLAIMED' });
    expect(patient.sent.map((each) => each.at - patient.sent[0]!.at >= 0)).toEqual([true, true, true]);
    expect(patient.sent[1]!.at - patient.sent[0]!.at).toBeGreaterThanOrEqual(3000);
    const endless = scripted([busy]);
    expect(
      await endless.claim({ wait: true, retry: { deadlineMs: 10_000, maxAttempts: 100 } }),
    ).toMatchObject({ kind: 'DUPLICATE_HELD', retryAfterSeconds: 3 });
  });

  it.each(['2147484', 'Thu, 01 Jan 2099 00:00:00 GMT', '86400'])(
    'B-47 R-034b Retry-After: %s is longer than the time left, so it stops and says so',
    async (value) => {
      const { sent, claim, clock } = scripted(
        [() => problem('DATABASE_UNAVAILABLE', { 'Retry-After': value })],
        { deadlineMs: 300_000 },
      );
      const started = clock.now();
      expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE', reason: 'RETRY_AFTER_TOO_LONG', sends: 1 });
      expect(sent).toHaveLength(1);
      expect(clock.now() - started).toBeLessThan(1000);
    },
  );

  it('B-47 R-034b rubbish is ignored, and zero makes no hot loop', async () => {
    for (const value of ['soon', '0', '-5', '']) {
      const { sent, claim } = scripted([() => problem('DATABASE_UNAVAILABLE', { 'Retry-After': value })]);
      expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE', reason: 'ATTEMPTS_USED' });
      expect(sent).toHaveLength(5);
      for (let index = 1; index < sent.length; index += 1)
        expect(sent[index]!.at).toBeGreaterThan(sent[index - 1]!.at);
    }
  });

  it('R-034b waits as long as the server asks, in both forms', async () => {
    const { sent, claim } = scripted([
      () => problem('RATE_LIMITED', { 'Retry-After': '7' }),
      (clock) => problem('RATE_LIMITED', { 'Retry-After': new Date(clock.now() + 9000).toUTCString() }),
      claimed,
    ]);
    expect(await claim()).toMatchObject({ kind: 'CLAIMED' });
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(7000);
    expect(sent[2]!.at - sent[1]!.at).toBeGreaterThanOrEqual(8000);
  });

  it('R-034b waits by full jitter below a doubling bound, within attempts and deadline', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 1, max: 10 }),
        async (draws, maxAttempts) => {
          let draw = 0;
          const { sent, claim, clock } = scripted(
            [lost],
            { maxAttempts, baseDelayMs: 100, maxDelayMs: 800, deadlineMs: 3000 },
            () => draws[draw++ % 10]!,
          );
          const started = clock.now();
          expect((await claim()).kind).toBe('UNAVAILABLE');
          expect(sent.length).toBeLessThanOrEqual(maxAttempts);
          expect(clock.now() - started).toBeLessThanOrEqual(3000);
          for (let index = 1; index < sent.length; index += 1) {
            const wait = sent[index]!.at - sent[index - 1]!.at;
            expect(wait).toBeGreaterThan(0);
            expect(wait).toBeLessThanOrEqual(Math.max(1, Math.min(800, 100 * 2 ** (index - 1))));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('R-034b one send takes no longer than its own bound and the time that is left', async () => {
    const { sent, claim, clock } = scripted([hang], { requestTimeoutMs: 4000, deadlineMs: 10_000 });
    const started = clock.now();
    expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE', reason: 'TIMED_OUT' });
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(clock.now() - started).toBeLessThanOrEqual(10_000);
  });

  it('B-41 R-034b a clock that steps back does not lengthen the retries beyond their number', async () => {
    const { sent, claim } = scripted([(clock) => (clock.step(-3_600_000), new TypeError('fetch failed'))]);
    expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE' });
    expect(sent).toHaveLength(5);
  });

  it('R-034 a keyless report is not repeated when its answer is lost', async () => {
    const { client, clock, sent } = scripted([lost]);
    expect(await clock.run(client.keyless({ operation: 'o', requestId: 'r' }))).toMatchObject({
      kind: 'UNAVAILABLE',
      reason: 'CONNECTION_LOST',
    });
    expect(sent).toHaveLength(1);
  });

  it('R-034b on exhaustion the status address is told', async () => {
    const { client, clock } = scripted([lost]);
    const answer = await clock.run(client.complete('e-7', { fencingToken: '1', resultId: 'R' }));
    expect(answer).toMatchObject({
      kind: 'UNAVAILABLE',
      statusUrl: 'http://ledger.test/api/v1/executions/e-7',
    });
  });

  it('R-038 what is not the ledger is never taken for an answer', async () => {
    const html =
      (status: number): Step =>
      () =>
        new Response('<html>', { status, headers: { 'Content-Type': 'text/html' } });
    for (const status of [200, 201, 404, 409, 500]) {
      const { sent, claim } = scripted([html(status)]);
      expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE', reason: 'NOT_THE_LEDGER' });
      expect(sent).toHaveLength(1);
    }
    const gateway = scripted([html(502), html(503), claimed]);
    expect(await gateway.claim()).toMatchObject({ kind: 'CLAIMED' });
  });

  it('R-034 a caller that stops waiting stops the retries', async () => {
    const stop = new AbortController();
    const { claim } = scripted([() => (stop.abort(), new TypeError('fetch failed'))]);
    expect(await claim({ signal: stop.signal })).toMatchObject({
      kind: 'UNAVAILABLE',
      reason: 'ABORTED',
      sends: 1,
    });
  });

  it('R-013b a replay is read by its marker, whatever its status and body look like', async () => {
    const headers = {
      'Idempotency-Replayed': 'true',
      'Onceover-Execution': 'e-9',
      'Content-Type': 'application/problem+json',
    };
    const { claim } = scripted([() => new Response('{"code":"FENCED"}', { status: 422, headers })]);
    expect(await claim()).toMatchObject({
      kind: 'REPLAYED',
      status: 422,
      executionId: 'e-9',
      bodyText: '{"code":"FENCED"}',
    });
    const lookalike = scripted([
      () => new Response('{"disposition":"RESULT_REUSED","resultId":"X"}', { status: 200, headers }),
    ]);
    expect(await lookalike.claim()).toMatchObject({ kind: 'REPLAYED' });
  });
});

describe('R-003a mistakes of the program', () => {
  it('B-76 R-003a there is no call without a key', async () => {
    const { client, sent } = scripted([claimed]);
    for (const key of [undefined, '', 'a b', 'x'.repeat(256)]) {
      await expect(client.claim({ ...request, key: key as string })).rejects.toThrow(TypeError);
      await expect(client.once({ ...request, key: key as string }, async () => ({}))).rejects.toThrow(
        TypeError,
      );
    }
    expect(sent).toHaveLength(0);
  });

  it('B-55 R-006a a payload that is not JSON is refused before it is sent', async () => {
    const { client, sent } = scripted([claimed]);
    for (const payload of [{ fee: NaN }, { fee: undefined }, { at: new Date() }, { n: 10n }]) {
      await expect(client.claim({ ...request, payload: payload as never })).rejects.toThrow(
        /payload\/\w+ is not JSON/,
      );
    }
    expect(sent).toHaveLength(0);
  });
});
