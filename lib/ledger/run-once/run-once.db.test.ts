import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FinalRefusal } from '@/lib/ledger/run-once';
import { DRIVERS, openShop, type Shop } from '@/lib/testing/shop';
import { newKey, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterAll(() => fixture.close());

describe.each(DRIVERS)('same-database mode over %s', (driver) => {
  // One connection: whatever needed a second one would wait for ever (B-13).
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(driver, fixture.url, 1);
  });
  afterEach(() => fixture.expectNothingLeft());
  afterAll(() => shop.close());

  const take = (key: string, amount = 100) =>
    shop.once(order(key, amount), async (tx) => {
      await tx.takeOrder(key, amount);
      return { resultId: `R-${key}`, response: { status: 201, body: { amount } } };
    });

  it('R-022 B-13 claim, change and result are committed together, with one connection', async () => {
    const key = newKey();
    expect(await take(key)).toMatchObject({
      kind: 'COMPLETED',
      execution: { state: 'SUCCEEDED', resultId: `R-${key}`, attempt: 1 },
      result: { resultId: `R-${key}` },
    });
    expect(await fixture.committed(key)).toEqual({
      orders: [100],
      states: ['SUCCEEDED'],
      attempts: ['SUCCEEDED'],
      intakes: ['CLAIMED'],
    });
  });

  it('R-022 nobody sees anything of it before it is whole', async () => {
    const key = newKey();
    const seen = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      const outside = await fixture.committed(key);
      return { resultId: `R-${key}`, outside };
    });
    expect(seen).toMatchObject({
      kind: 'COMPLETED',
      result: { outside: { orders: [], states: [], attempts: [], intakes: [] } },
    });
  });

  it('R-022 what the work throws undoes all of it and is thrown on, and the next call starts afresh', async () => {
    const key = newKey();
    const failure = new Error('the printer is on fire');
    const failing = shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect(await fixture.committed(key)).toEqual({ orders: [], states: [], attempts: [], intakes: [] });
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 1 } });
  });

  it('R-022 a statement that failed and was swallowed undoes all of it', async () => {
    const key = newKey();
    const swallowing = shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      await tx.value('select 1/0').catch(() => null);
      return { resultId: `R-${key}` };
    });
    await expect(swallowing).rejects.toThrow();
    expect((await fixture.committed(key)).orders).toEqual([]);
  });

  it('R-022 R-011a a repetition runs nothing and gets the first answer to the byte', async () => {
    const key = newKey();
    const body = { ten: 10, ä: ['ö'], nothing: null };
    const headers = { 'content-type': 'application/json', location: '/orders/1' };
    await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      return { resultId: `R-${key}`, response: { status: 201, headers, body } };
    });
    expect(await take(key)).toEqual({
      kind: 'REPLAYED',
      executionId: expect.any(String) as string,
      status: 201,
      headers,
      bodyText: JSON.stringify(body),
    });
    expect(await fixture.committed(key)).toMatchObject({
      orders: [100],
      intakes: ['CLAIMED', 'RESULT_REUSED'],
    });
  });

  it('R-022 a repetition of work that stored no response gets its result id', async () => {
    const key = newKey();
    const work = async () => ({ resultId: `R-${key}` });
    await shop.once(order(key), work);
    expect(await shop.once(order(key), work)).toMatchObject({
      kind: 'RESULT_REUSED',
      resultId: `R-${key}`,
      resultUrl: null,
    });
  });

  it('R-012a R-022 other content under the key is refused with its code and runs nothing', async () => {
    const key = newKey();
    await take(key, 100);
    expect(await take(key, 999)).toMatchObject({
      kind: 'REFUSED',
      code: 'IDEMPOTENCY_KEY_REUSED',
      problem: { status: 409, conflictingFields: ['payload'] },
    });
    expect(await fixture.committed(key)).toMatchObject({
      orders: [100],
      intakes: ['CLAIMED', 'CONTENT_CONFLICT'],
    });
  });

  it('R-022 leased work under the same key is left alone', async () => {
    const key = newKey();
    const attemptId = randomUUID();
    const { fingerprint } = (await fixture.ledger.claim(key, { operation: 'take-order', attemptId }))
      .execution as unknown as { fingerprint: string };
    const again = { key, operation: 'take-order', requestId: 'again', fingerprint, attemptId };
    const never = () => Promise.reject(new Error('must not run'));
    expect(await shop.once({ ...again, attemptId: randomUUID() }, never)).toMatchObject({
      kind: 'DUPLICATE_HELD',
      retryAfterSeconds: expect.any(Number) as number,
    });
    const claimed = (await fixture.ledger.claim(key, { operation: 'take-order', attemptId })).execution!;
    await fixture.ledger.report('effect_started', claimed.executionId, {
      fencingToken: claimed.fencingToken,
    });
    expect(await shop.once(again, never)).toMatchObject({ kind: 'REFUSED', code: 'INVALID_STATE' });
  });

  it('R-014a R-022 a result that the ledger does not believe is kept in doubt, with its change', async () => {
    const key = newKey();
    const outcome = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      return {};
    });
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN' } });
    expect(await fixture.committed(key)).toMatchObject({ orders: [100], states: ['UNKNOWN'] });
    expect(await take(key)).toMatchObject({ kind: 'REFUSED', code: 'RECONCILE_REQUIRED' });
  });

  it('R-022 work that settles its own record by hand is a mistake: thrown, and nothing remains', async () => {
    const key = newKey();
    const meddling = shop.once(order(key), async (tx, { executionId }) => {
      await tx.takeOrder(key, 100);
      await tx.value(`select ledger.cancel('${executionId}', 'by hand')::text`);
      return { resultId: `R-${key}` };
    });
    await expect(meddling).rejects.toThrow(/the ledger refused the report: FENCED/);
    expect(await fixture.committed(key)).toMatchObject({ orders: [], states: [] });
  });

  it('R-006e R-022 a policy of the program says which fields count', async () => {
    const key = newKey();
    const policy = { version: 1, include: [], exclude: ['sentAt'], defaults: {}, types: {} };
    const sent = (sentAt: string) =>
      shop.once(
        { ...order(key), payload: { amount: 1, sentAt }, policy, fingerprint: undefined },
        async () => ({
          resultId: `R-${key}`,
        }),
      );
    expect(await sent('now')).toMatchObject({ kind: 'COMPLETED' });
    expect(await sent('later')).toMatchObject({ kind: 'RESULT_REUSED' });
  });

  it('R-022 a response or a payload that cannot be kept is a mistake: thrown, and nothing remains', async () => {
    const key = newKey();
    const unstorable = shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      return { resultId: `R-${key}`, response: { status: 503 } };
    });
    await expect(unstorable).rejects.toThrow(/a stored status must be/);
    const never = async () => ({ resultId: 'never' });
    await expect(shop.once({ ...order(key), payload: NaN } as never, never)).rejects.toThrow(TypeError);
    await expect(shop.once({ ...order(''), payload: 1 } as never, never)).rejects.toThrow(TypeError);
    expect(await fixture.committed(key)).toMatchObject({ orders: [], intakes: [] });
  });

  it('R-023 B-19 a final refusal undoes the change and keeps the refusal, which is replayed to the byte', async () => {
    const key = newKey();
    const body = { error: 'LIMIT', über: 9_999_999 };
    const refused = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 1);
      await tx.takeOrder(key, 2);
      throw new FinalRefusal('OVER_THE_LIMIT', 'too\u0000much', { status: 422, body });
    });
    expect(refused).toMatchObject({
      kind: 'FAILED',
      retryable: false,
      execution: { state: 'FAILED_FINAL' },
      refusal: { code: 'OVER_THE_LIMIT' },
    });
    expect(await take(key)).toMatchObject({
      kind: 'REPLAYED',
      status: 422,
      bodyText: JSON.stringify(body),
    });
    expect(await fixture.committed(key)).toEqual({
      orders: [],
      states: ['FAILED_FINAL'],
      attempts: ['FAILED_FINAL'],
      intakes: ['CLAIMED', 'RESULT_REUSED'],
    });
  });

  it('R-023 a refusal after a failed statement is kept as well', async () => {
    const key = newKey();
    const refused = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 1);
      await tx.value('select 1/0').catch(() => null);
      throw new FinalRefusal('NO', 'the stock is empty');
    });
    expect(refused).toMatchObject({ kind: 'FAILED' });
    expect(await take(key)).toMatchObject({ kind: 'REFUSED', code: 'EXECUTION_FAILED_FINAL' });
    expect((await fixture.committed(key)).orders).toEqual([]);
  });

  it('R-023 B-14 a change that was not waited for does not slip in behind the refusal', async () => {
    const key = newKey();
    const words: Promise<string>[] = [];
    const watch = (statement: Promise<unknown>) =>
      words.push(
        statement.then(
          () => 'ran',
          () => 'refused',
        ),
      );
    const refused = await shop.once(order(key), async (tx) => {
      watch(tx.value('select pg_sleep(0.05)').then(() => tx.takeOrder(key, 1)));
      watch(tx.takeOrder(key, 2));
      await new Promise(setImmediate);
      throw new FinalRefusal('NO', 'the stock is empty');
    });
    expect(refused).toMatchObject({ kind: 'FAILED' });
    expect(await Promise.all(words)).toEqual(['refused', 'ran']);
    expect((await fixture.committed(key)).orders).toEqual([]);
  });
});
