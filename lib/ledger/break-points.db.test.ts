// Acceptance: the eight places where same-database work can break. Every check looks at committed rows: executions,
// intakes, attempts, exceptions and the shop's own orders; never at answers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FinalRefusal } from '@/lib/ledger/run-once';
import { startProgram, type Program } from '@/lib/testing/program';
import { COMMIT, DRIVERS, openShop, takeOrder, type Driver, type Shop } from '@/lib/testing/shop';
import { newKey, NOTHING, ONCE, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterEach(() => fixture.expectNothingLeft());
afterAll(() => fixture.close());

const take = (shop: Shop, key: string, amount = 100) => takeOrder(shop, order(key, amount), amount);

describe.each(DRIVERS)('the eight break points over %s', (driver: Driver) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(driver, fixture.url, 2);
  });
  afterAll(() => shop.close());

  const program = (key: string, more: object = {}): Program =>
    startProgram('take-orders', {
      driver,
      url: fixture.url,
      request: order(key),
      amount: 100,
      stopAt: [],
      ...more,
    });

  async function killedAt(at: 'claimed' | 'changed', key: string) {
    const victim = program(key, { stopAt: [at] });
    await victim.reaches('ready');
    victim.go();
    await victim.reaches(at);
    await victim.kill();
    await fixture.expectNothingLeft();
  }

  it('R-022 1: killed before the claim’s insert: no row of it, and the repetition is the first', async () => {
    const key = newKey();
    const blocker = await fixture.db.pool('superuser').connect();
    await blocker.query('begin; lock table ledger.executions in access exclusive mode');
    const victim = program(key);
    await victim.reaches('ready');
    victim.go();
    await fixture.untilBlocked(1);
    await victim.kill();
    await blocker.query('rollback');
    blocker.release();
    await fixture.expectNothingLeft();
    expect(await fixture.committed(key)).toEqual(NOTHING);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual(ONCE);
  }, 30_000);

  it('R-022 2: killed after the claim’s insert: the claim is gone with it, and nobody is locked out', async () => {
    const key = newKey();
    await killedAt('claimed', key);
    expect(await fixture.committed(key)).toEqual(NOTHING);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual(ONCE);
  }, 30_000);

  it('R-022 3: killed between the business change and the result: neither is there', async () => {
    const key = newKey();
    await killedAt('changed', key);
    expect(await fixture.committed(key)).toEqual(NOTHING);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual(ONCE);
  }, 30_000);

  it('R-022 R-026 4: killed after the commit and before its answer: both are there, and the repetition adds an arrival only', async () => {
    const key = newKey();
    const victim = program(key, { url: fixture.proxyUrl });
    await victim.reaches('ready');
    fixture.proxy.withholdAnswerTo(COMMIT[driver]);
    victim.go();
    await expect.poll(() => fixture.committed(key), { timeout: 10_000 }).toEqual(ONCE);
    await victim.kill();
    expect(fixture.proxy.struck.at(-1)).toBe(`withheld ${COMMIT[driver]}`);
    const before = await fixture.row(key);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({ ...ONCE, intakes: ['CLAIMED', 'RESULT_REUSED'] });
    expect(await fixture.row(key)).toEqual(before);
  }, 30_000);

  it('R-022 R-025a 5: two processes at once: one row, one order, and both arrivals', async () => {
    const key = newKey();
    const programs = [program(key), program(key)];
    await Promise.all(programs.map((each) => each.reaches('ready')));
    for (const each of programs) each.go();
    await Promise.all(programs.map((each) => each.reaches('done')));
    const { intakes, ...rest } = await fixture.committed(key);
    expect({ ...rest, intakes: intakes.sort() }).toEqual({ ...ONCE, intakes: ['CLAIMED', 'RESULT_REUSED'] });
  }, 30_000);

  it('R-012a R-012c 6: another fingerprint: the record stays as it was, and the arrival is in the queue', async () => {
    const key = newKey();
    await take(shop, key);
    const before = await fixture.row(key);
    await take(shop, key, 999);
    expect(await fixture.committed(key)).toEqual({ ...ONCE, intakes: ['CLAIMED', 'CONTENT_CONFLICT'] });
    expect(await fixture.row(key)).toEqual(before);
    expect(await fixture.exceptions(key)).toEqual(['CONTENT_CONFLICT OPEN']);
  }, 30_000);

  it('R-023 7: a final refusal after a partial change: the refusal is there, and nothing of the change', async () => {
    const key = newKey();
    await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      throw new FinalRefusal('REFUSED', 'refused', { status: 422, body: { no: true } });
    });
    const refused = { orders: [], states: ['FAILED_FINAL'], attempts: ['FAILED_FINAL'] };
    expect(await fixture.committed(key)).toEqual({ ...refused, intakes: ['CLAIMED'] });
    expect(await fixture.row(key)).toMatchObject({
      failure_code: 'REFUSED',
      response_status: 422,
      response_body: '{"no":true}',
      result_id: null,
    });
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({ ...refused, intakes: ['CLAIMED', 'RESULT_REUSED'] });
  }, 30_000);

  it.each(['before', 'after'])(
    'R-041 8: a late arrival after expiry, %s the sweep: nothing runs, and a person is asked',
    async (when) => {
      const key = newKey();
      await take(shop, key);
      await fixture.expire(key);
      if (when === 'after') await fixture.ledger.sweep();
      await take(shop, key);
      expect(await fixture.committed(key)).toEqual({
        ...ONCE,
        states: [when === 'after' ? 'EXPIRED' : 'SUCCEEDED'],
        intakes: ['CLAIMED', 'RECORD_EXPIRED'],
      });
      expect(await fixture.exceptions(key)).toEqual(['EXPIRED_KEY OPEN']);
    },
    30_000,
  );
});
