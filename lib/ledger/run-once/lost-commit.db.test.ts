import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FinalRefusal } from '@/lib/ledger/run-once';
import { startProgram } from '@/lib/testing/program';
import { COMMIT, DRIVERS, openShop, type Shop } from '@/lib/testing/shop';
import { newKey, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterAll(() => fixture.close());

describe.each(DRIVERS)('a COMMIT without an answer over %s', (driver) => {
  let shop: Shop;
  let runs = 0;
  beforeAll(() => {
    shop = openShop(driver, fixture.proxyUrl, 2);
  });
  afterEach(async () => {
    runs = 0;
    fixture.proxy.cut(false);
    await fixture.expectNothingLeft();
  });
  afterAll(() => shop.close());

  const take = (key: string, options = {}, atWork: () => Promise<void> = async () => undefined) =>
    shop.once(
      order(key),
      async (tx) => {
        runs += 1;
        await tx.takeOrder(key, 100);
        await atWork();
        return { resultId: `R-${key}`, runs };
      },
      { baseDelayMs: 5, ...options },
    );
  const commit = COMMIT[driver];
  const once = { orders: [100], states: ['SUCCEEDED'], attempts: ['SUCCEEDED'] };

  it('R-026 DF-01 lost after it was done: answered from the record, and nothing runs again', async () => {
    const key = newKey();
    fixture.proxy.dropAnswerTo(commit);
    expect(await take(key)).toMatchObject({
      kind: 'COMPLETED',
      execution: { resultId: `R-${key}`, state: 'SUCCEEDED' },
      result: { runs: 1 },
    });
    expect(fixture.proxy.struck.at(-1)).toBe(`answer ${commit}`);
    expect(runs).toBe(1);
    expect(await fixture.committed(key)).toEqual({ ...once, intakes: ['CLAIMED', 'RESULT_REUSED'] });
  });

  it('R-026 DF-02 lost before it arrived: nothing was stored, and the repetition stores it once', async () => {
    const key = newKey();
    fixture.proxy.dropStatement(commit);
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED', result: { runs: 2 } });
    expect(await fixture.committed(key)).toEqual({ ...once, intakes: ['CLAIMED'] });
  });

  it('R-026 R-025a still under way when its client is cut off: the reading waits for it', async () => {
    const key = newKey();
    await fixture.fault(key, { at: 'commit', pauseSeconds: 1 });
    fixture.proxy.abandon(commit);
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED', result: { runs: 1 } });
    expect(fixture.proxy.struck.at(-1)).toBe(`abandoned ${commit}`);
    expect(await fixture.committed(key)).toMatchObject({ ...once, intakes: ['CLAIMED', 'RESULT_REUSED'] });
  });

  it('R-026 never answered at all: half of the time is kept for reading', async () => {
    const key = newKey();
    fixture.proxy.withholdAnswerTo(commit);
    const outcome = await take(key, { deadlineMs: 5_000 });
    fixture.proxy.cut(true);
    expect(outcome).toMatchObject({ kind: 'COMPLETED', result: { runs: 1 } });
    expect(await fixture.committed(key)).toMatchObject(once);
  });

  it('R-026 R-023 of a refusal: the refusal is read, and nothing of its change is there', async () => {
    const key = newKey();
    fixture.proxy.dropAnswerTo(commit);
    const outcome = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 1);
      throw new FinalRefusal('NO', 'no stock');
    });
    expect(outcome).toMatchObject({ kind: 'FAILED', refusal: { code: 'NO' } });
    expect(await fixture.committed(key)).toMatchObject({ orders: [], states: ['FAILED_FINAL'] });
  });

  it('R-026 a rival’s record is not taken for the own one', async () => {
    const key = newKey();
    fixture.proxy.dropStatement(commit);
    const rival = openShop(driver, fixture.url, 1);
    let rivalry: Promise<unknown> = Promise.resolve();
    const outcome = await take(key, {}, async () => {
      if (runs > 1) return;
      rivalry = rival.once(order(key), async (tx) => {
        await tx.takeOrder(key, 100);
        return { resultId: `R-${key}` };
      });
      await fixture.untilBlocked(1);
    });
    const kinds = [outcome, await rivalry].map((each) => (each as { kind: string }).kind).sort();
    await rival.close();
    expect(kinds).toEqual(['COMPLETED', 'RESULT_REUSED']);
    expect(await fixture.committed(key)).toMatchObject(once);
  });

  it('R-026 lost in the last allowed run: it is still read', async () => {
    const key = newKey();
    fixture.proxy.dropAnswerTo(commit);
    expect(await take(key, { maxAttempts: 1 })).toMatchObject({ kind: 'COMPLETED', result: { runs: 1 } });
  });

  it('R-026 R-024 lost in the last allowed run and not arrived: certain that nothing is there, and not run again', async () => {
    const key = newKey();
    fixture.proxy.dropStatement(commit);
    expect(await take(key, { maxAttempts: 1 })).toMatchObject({
      kind: 'UNAVAILABLE',
      code: 'RETRY_LIMIT_REACHED',
    });
    expect([runs, (await fixture.committed(key)).orders]).toEqual([1, []]);
  });

  it('R-026 B-26 with the database gone for good it is unconfirmed, never failed; the next call reads it', async () => {
    const key = newKey();
    fixture.proxy.dropAnswerTo(commit, true);
    expect(await take(key)).toMatchObject({ kind: 'UNAVAILABLE', code: 'REQUEST_STATUS_UNCONFIRMED' });
    fixture.proxy.cut(false);
    expect(await take(key)).toMatchObject({ kind: 'RESULT_REUSED', resultId: `R-${key}` });
    expect(runs).toBe(1);
    expect(await fixture.committed(key)).toMatchObject(once);
  });

  it.each(['claimed', 'changed'])(
    'R-022 R-026 a process killed when it has %s leaves nothing, and the same attempt may come again',
    async (at) => {
      const key = newKey();
      const request = order(key, 100, { attemptId: randomUUID() });
      const program = startProgram('take-orders', {
        driver,
        url: fixture.url,
        request,
        amount: 100,
        stopAt: [at],
      });
      await program.reaches('ready');
      program.go();
      await program.reaches(at);
      await program.kill();
      await fixture.expectNothingLeft();
      expect(await fixture.committed(key)).toEqual({ orders: [], states: [], attempts: [], intakes: [] });
      expect(
        await shop.once(request, async (tx) => {
          await tx.takeOrder(key, 100);
          return { resultId: `R-${key}` };
        }),
      ).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 1 } });
      expect(await fixture.committed(key)).toEqual({ ...once, intakes: ['CLAIMED'] });
    },
    30_000,
  );
});
