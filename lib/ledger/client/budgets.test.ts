import { describe, expect, it } from 'vitest';
import { BACKGROUND, INTERACTIVE, type RetryPolicy } from '@/lib/ledger/client';
import { claimed, hang, lost, problem, scripted, type Step } from '@/lib/testing/scripted-ledger';

describe('R-034b budgets of the retry helper', () => {
  it('R-034b a waiting person and background recovery have budgets of their own', async () => {
    const spent = async (retry: Partial<RetryPolicy>) => {
      const { clock, sent, claim } = scripted([lost], retry);
      const started = clock.now();
      expect(await claim()).toMatchObject({ kind: 'UNAVAILABLE' });
      return { sends: sent.length, ms: clock.now() - started };
    };
    const person = await spent(INTERACTIVE);
    const recovery = await spent(BACKGROUND);
    expect(person.sends).toBe(4);
    expect(person.ms).toBeLessThanOrEqual(8_000);
    expect(recovery.sends).toBeGreaterThan(20);
    expect(recovery.ms).toBeGreaterThan(60_000);
    expect(recovery.ms).toBeLessThanOrEqual(15 * 60_000);
    // Ten seconds are too long for a person, who is told at once, and nothing for recovery.
    const asked: Step = () => problem('DATABASE_UNAVAILABLE', { 'Retry-After': '10' });
    expect(await scripted([asked], INTERACTIVE).claim()).toMatchObject({
      reason: 'RETRY_AFTER_TOO_LONG',
      sends: 1,
    });
    expect(await scripted([asked, claimed], BACKGROUND).claim()).toMatchObject({ kind: 'CLAIMED' });
  });

  it('R-034b on exhaustion the status address is told', async () => {
    const { client, clock } = scripted([lost]);
    const answer = await clock.run(
      client.complete('00000000-0000-4000-8000-000000000007', { fencingToken: '1', resultId: 'R' }),
    );
    expect(answer).toMatchObject({
      kind: 'UNAVAILABLE',
      statusUrl: 'http://ledger.test/api/v1/executions/00000000-0000-4000-8000-000000000007',
    });
    expect(await scripted([lost]).claim()).toMatchObject({
      statusUrl: 'http://ledger.test/api/v1/executions?operation=refund.create&key=K-1',
    });
    const busy: Step = () =>
      problem('REQUEST_STATUS_UNCONFIRMED', {}, { executionId: '00000000-0000-4000-8000-000000000008' });
    expect(await scripted([busy]).claim()).toMatchObject({
      executionId: '00000000-0000-4000-8000-000000000008',
      statusUrl: 'http://ledger.test/api/v1/executions/00000000-0000-4000-8000-000000000008',
    });
    expect(await scripted([() => new Response('<html>', { status: 200 })]).claim()).toMatchObject({
      reason: 'NOT_THE_LEDGER',
      statusUrl: 'http://ledger.test/api/v1/executions?operation=refund.create&key=K-1',
    });
  });

  it('R-034b waits by full jitter below a doubling bound, within attempts and deadline', async () => {
    const shares: number[] = [];
    for (let run = 0; run < 40; run += 1) {
      const maxAttempts = 1 + (run % 10);
      const { sent, claim, clock } = scripted([lost], {
        maxAttempts,
        baseDelayMs: 100,
        maxDelayMs: 800,
        deadlineMs: 3000,
      });
      const started = clock.now();
      expect((await claim()).kind).toBe('UNAVAILABLE');
      expect(sent.length).toBeLessThanOrEqual(maxAttempts);
      expect(clock.now() - started).toBeLessThanOrEqual(3000);
      for (let index = 1; index < sent.length; index += 1) {
        const wait = sent[index]!.at - sent[index - 1]!.at;
        const bound = Math.min(800, 100 * 2 ** (index - 1));
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(bound);
        shares.push(wait / bound);
      }
    }
    // Full jitter: the waits fill the whole range below the bound. Of some 150 draws one in 10^8 runs misses a half.
    expect(Math.min(...shares)).toBeLessThan(0.25);
    expect(Math.max(...shares)).toBeGreaterThan(0.75);
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
});
