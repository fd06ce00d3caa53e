// Acceptance: the seven kinds of input to same-database work, judged by what is committed and never by answers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FinalRefusal } from '@/lib/ledger/run-once';
import { DRIVERS, openShop, takeOrder, type Shop } from '@/lib/testing/shop';
import { newKey, ONCE, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterEach(() => fixture.expectNothingLeft());
afterAll(() => fixture.close());

const take = (shop: Shop, key: string, amount = 100) => takeOrder(shop, order(key, amount), amount);

describe.each(DRIVERS)('the seven inputs over %s', (driver) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(driver, fixture.url, 4);
  });
  afterAll(() => shop.close());

  it('R-022 1: a first request makes one execution, one attempt, one arrival and one order', async () => {
    const key = newKey();
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual(ONCE);
    expect(await fixture.row(key)).toMatchObject({
      state: 'SUCCEEDED',
      result_id: `R-${key}`,
      response_body: '{"amount":100}',
      attempt: 1,
      fencing_token: '1',
    });
    expect(await fixture.exceptions(key)).toEqual([]);
  });

  it('R-022 R-015b 2: a repeat adds an arrival and nothing else', async () => {
    const key = newKey();
    await take(shop, key);
    const before = await fixture.row(key);
    await take(shop, key);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({
      ...ONCE,
      intakes: ['CLAIMED', 'RESULT_REUSED', 'RESULT_REUSED'],
    });
    expect(await fixture.row(key)).toEqual(before);
  });

  it('R-022 R-025a 3: two workers with one request make one order', async () => {
    const key = newKey();
    await Promise.all([take(shop, key), take(shop, key)]);
    const { intakes, ...rest } = await fixture.committed(key);
    expect({ ...rest, intakes: intakes.sort() }).toEqual({ ...ONCE, intakes: ['CLAIMED', 'RESULT_REUSED'] });
  });

  it('R-012a 4: a changed amount changes nothing and opens a conflict', async () => {
    const key = newKey();
    await take(shop, key, 100);
    const before = await fixture.row(key);
    await take(shop, key, 101);
    expect(await fixture.committed(key)).toEqual({ ...ONCE, intakes: ['CLAIMED', 'CONTENT_CONFLICT'] });
    expect(await fixture.row(key)).toEqual(before);
    expect(await fixture.exceptions(key)).toEqual(['CONTENT_CONFLICT OPEN']);
  });

  it('R-023 5: a final refusal stays one, whoever asks again', async () => {
    const key = newKey();
    await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      throw new FinalRefusal('OUT_OF_STOCK', 'nothing left');
    });
    const before = await fixture.row(key);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({
      orders: [],
      states: ['FAILED_FINAL'],
      attempts: ['FAILED_FINAL'],
      intakes: ['CLAIMED', 'RESULT_REUSED'],
    });
    expect(await fixture.row(key)).toEqual(before);
    expect(await fixture.exceptions(key)).toEqual([]);
  });

  it('R-025a 6: an unreadable record is left alone: no order, no attempt, no change', async () => {
    const key = newKey();
    await take(shop, key);
    await fixture.makeUnreadable(key);
    const before = await fixture.row(key);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({ ...ONCE, states: ['ARCHIVED'] });
    expect(await fixture.row(key)).toEqual(before);
  });

  it('R-011c R-025a 6: a record in doubt is left alone too, and the arrival is kept', async () => {
    const key = newKey();
    await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      return {};
    });
    const before = await fixture.row(key);
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({
      ...ONCE,
      states: ['UNKNOWN'],
      attempts: ['UNKNOWN'],
      intakes: ['CLAIMED', 'RECONCILE_REQUIRED'],
    });
    expect(await fixture.row(key)).toEqual(before);
    expect(await fixture.exceptions(key)).toEqual(['MISSING_RESULT_ID OPEN']);
  });

  it('R-041 R-042b 7: an expired record runs nothing and is told apart', async () => {
    const key = newKey();
    await take(shop, key);
    await fixture.expire(key);
    await fixture.ledger.sweep();
    await take(shop, key);
    expect(await fixture.committed(key)).toEqual({
      ...ONCE,
      states: ['EXPIRED'],
      intakes: ['CLAIMED', 'RECORD_EXPIRED'],
    });
    expect(await fixture.row(key)).toMatchObject({
      expired_from: 'SUCCEEDED',
      result_id: `R-${key}`,
      response_body: null,
    });
    expect(await fixture.exceptions(key)).toEqual(['EXPIRED_KEY OPEN']);
  });
});
