import { describe, expect, it } from 'vitest';
import { BACKGROUND } from '@/lib/ledger/client';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { claimed, lost, problem, request, scripted, type Step } from '@/lib/testing/scripted-ledger';

describe('R-034 the retry helper', () => {
  it('R-021 B-76 B-02 repeats a lost claim with the same key, attempt id and body', async () => {
    const { sent, claim } = scripted([lost, lost, claimed]);
    const answer = await claim();
    expect(answer).toMatchObject({
      kind: 'CLAIMED',
      executionId: '00000000-0000-4000-8000-000000000001',
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
      const { sent, claim } = scripted([
        () => problem(code, {}, { executionId: '00000000-0000-4000-8000-000000000001' }),
      ]);
      const answer = await claim();
      const passing = [
        'REQUEST_TIMEOUT',
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
        expect(answer).toMatchObject({
          kind: 'DUPLICATE_HELD',
          executionId: '00000000-0000-4000-8000-000000000001',
        });
      else expect(answer).toMatchObject({ kind: 'REFUSED', code });
    }
  });

  it('B-85 R-034 stops on a reused key and on a result in doubt, and waits for one in progress only when told to', async () => {
    const busy: Step = () =>
      problem(
        'REQUEST_IN_PROGRESS',
        { 'Retry-After': '3' },
        { executionId: '00000000-0000-4000-8000-000000000001', retryAfterSeconds: 3 },
      );
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

  it('R-034 a keyless report is never repeated by itself, whatever came back', async () => {
    const busy: Step = () => problem('RATE_LIMITED', { 'Retry-After': '1' });
    const gateway: Step = () => new Response('', { status: 503 });
    for (const [step, reason] of [
      [lost, 'CONNECTION_LOST'],
      [busy, 'ATTEMPTS_USED'],
      [gateway, 'NOT_THE_LEDGER'],
    ] as const) {
      const { client, clock, sent } = scripted([step]);
      const call = { wait: true, retry: BACKGROUND };
      const answer = await clock.run(client.keyless({ operation: 'o', requestId: 'r' }, call));
      expect(answer).toMatchObject({ kind: 'UNAVAILABLE', reason, sends: 1, statusUrl: null });
      expect(sent).toHaveLength(1);
    }
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

  it('R-034 a gateway that asks to come back later is asked again, with and without a time', async () => {
    const later =
      (headers: Record<string, string>): Step =>
      () =>
        new Response('busy', { status: 429, headers });
    const { sent, claim } = scripted([later({ 'Retry-After': '3' }), later({}), claimed]);
    expect(await claim()).toMatchObject({ kind: 'CLAIMED' });
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(3000);
  });

  it('R-034b only a wait that was asked for is called too long', async () => {
    const step: Step = () => problem('DATABASE_UNAVAILABLE', { 'Retry-After': '0' });
    const answer = await scripted([step], { maxAttempts: 1_000, deadlineMs: 2_000 }).claim();
    expect(answer).toMatchObject({ kind: 'UNAVAILABLE', reason: 'ATTEMPTS_USED', retryAfterSeconds: 0 });
  });

  it.each([301, 302, 303, 307, 308])(
    'R-038 a redirect (%i) that is no stored answer ends the call by name',
    async (status) => {
      const { sent, claim } = scripted([
        () => new Response(null, { status, headers: { Location: 'http://elsewhere.test/' } }),
      ]);
      expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE', reason: 'REDIRECTED', sends: 1 });
      expect(sent).toHaveLength(1);
    },
  );

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
      'Onceover-Execution': '00000000-0000-4000-8000-000000000009',
      'Content-Type': 'application/problem+json',
    };
    const { claim } = scripted([() => new Response('{"code":"FENCED"}', { status: 422, headers })]);
    expect(await claim()).toMatchObject({
      kind: 'REPLAYED',
      status: 422,
      executionId: '00000000-0000-4000-8000-000000000009',
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
