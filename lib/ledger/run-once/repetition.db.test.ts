import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '@/lib/testing/program';
import { DRIVERS, openShop, type Shop } from '@/lib/testing/shop';
import {
  newKey,
  NOTHING,
  ONCE,
  order,
  shopFixture,
  type Fault,
  type ShopFixture,
} from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterAll(() => fixture.close());

describe.each(DRIVERS)('the bounded repetition over %s', (driver) => {
  let shop: Shop;
  let runs = 0;
  beforeAll(() => {
    shop = openShop(driver, fixture.proxyUrl, 1);
  });
  afterEach(async () => {
    runs = 0;
    await fixture.expectNothingLeft();
  });
  afterAll(() => shop.close());

  const take = (key: string, options = {}) =>
    shop.once(
      order(key),
      async (tx) => {
        runs += 1;
        await tx.takeOrder(key, 100);
        return { resultId: `R-${key}` };
      },
      { baseDelayMs: 5, ...options },
    );

  it.each<[string, Fault]>([
    ['40001 at a statement', { at: 'statement', sqlstate: '40001' }],
    ['40001 at COMMIT', { at: 'commit', sqlstate: '40001' }],
    ['40P01 at a statement', { at: 'statement', sqlstate: '40P01' }],
    ['40P01 at COMMIT', { at: 'commit', sqlstate: '40P01' }],
    ['55P03 at a statement', { at: 'statement', sqlstate: '55P03' }],
  ])('R-024 LC-15 %s repeats the whole, and the change is there once', async (_, fault) => {
    const key = newKey();
    await fixture.fault(key, { ...fault, times: 2 });
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 1 } });
    expect(runs).toBe(3);
    expect(await fixture.committed(key)).toEqual(ONCE);
  });

  it.each(['statement', 'commit'] as const)(
    'R-024 LC-15 the third conflict at a %s is the last: a value, not a throw, and nothing is left',
    async (at) => {
      const key = newKey();
      await fixture.fault(key, { at, sqlstate: '40001', times: 100 });
      expect(await take(key)).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_LIMIT_REACHED', tries: 3 });
      expect(runs).toBe(3);
      expect(await fixture.committed(key)).toEqual(NOTHING);
    },
  );

  it('R-024 LC-15 a constraint of the program is its own no: thrown at once, not repeated', async () => {
    const key = newKey();
    await fixture.fault(key, { at: 'statement', sqlstate: '23505', times: 100 });
    await expect(take(key)).rejects.toThrow();
    expect(runs).toBe(1);
    expect(await fixture.committed(key)).toEqual(NOTHING);
  });

  it('R-024 a connection lost before COMMIT was sent repeats the whole', async () => {
    const key = newKey();
    fixture.proxy.dropStatement('shop.orders');
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED' });
    expect(fixture.proxy.struck.at(-1)).toBe('statement shop.orders');
    expect(await fixture.committed(key)).toEqual(ONCE);
  });

  it('R-024 R-038 a database out of reach runs nothing and is told as a value', async () => {
    const key = newKey();
    fixture.proxy.cut(true);
    const outcome = await take(key);
    fixture.proxy.cut(false);
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_LIMIT_REACHED', tries: 3 });
    expect(runs).toBe(0);
  });

  it('R-024 the remaining time bounds the wait for a lock', async () => {
    const key = newKey();
    const rival = await fixture.db.pool('superuser').connect();
    await rival.query('begin; lock table shop.orders in access exclusive mode');
    const outcome = await take(key, { deadlineMs: 400 });
    await rival.query('rollback');
    rival.release();
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_DEADLINE_EXCEEDED', tries: 1 });
    expect(await fixture.committed(key)).toEqual(NOTHING);
  });

  it('R-024 B-17 the remaining time bounds the wait for a connection', async () => {
    const key = newKey();
    const held = await shop.pool.connect();
    const outcome = await take(key, { deadlineMs: 300 });
    held.release();
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_DEADLINE_EXCEEDED' });
    expect(runs).toBe(0);
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED' });
  });

  it('R-024 LC-17 the remaining time bounds a slow statement', async () => {
    const key = newKey();
    await fixture.fault(key, { at: 'statement', pauseSeconds: 30 });
    expect(await take(key, { deadlineMs: 400 })).toMatchObject({ code: 'RETRY_DEADLINE_EXCEEDED' });
    expect(await fixture.committed(key)).toEqual(NOTHING);
  });

  it('R-024 the deadline ends the repetitions too', async () => {
    const key = newKey();
    await fixture.fault(key, { at: 'statement', sqlstate: '40001', times: 1_000, pauseSeconds: 1 });
    const outcome = await take(key, { deadlineMs: 1_500, maxAttempts: 100 });
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_DEADLINE_EXCEEDED' });
  });

  it('R-024 B-14 LC-17 work that waits for something else is left behind, and no late row of it is committed', async () => {
    const key = newKey();
    let late: Promise<unknown> = Promise.resolve();
    let release: () => void = () => undefined;
    const outcome = await shop.once(
      order(key),
      async (tx, { signal }) => {
        await tx.takeOrder(key, 100);
        await new Promise<void>((resolve) => (release = resolve));
        expect(signal.aborted).toBe(true);
        late = tx.takeOrder(key, 200);
        await late;
        return { resultId: `R-${key}` };
      },
      { deadlineMs: 1_500 },
    );
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_DEADLINE_EXCEEDED' });
    await fixture.expectNothingLeft();
    release();
    await new Promise(setImmediate);
    await expect(late).rejects.toThrow();
    expect(await fixture.committed(key)).toEqual(NOTHING);
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED' });
    expect(await fixture.committed(key)).toEqual(ONCE);
  });

  it('R-024 B-16 an advisory lock of the work ends with its transaction', async () => {
    const key = newKey();
    const failing = shop.once(order(key), async (tx) => {
      await tx.value('select pg_advisory_xact_lock(1016)::text');
      return { resultId: String(await tx.value('select 1/0')) };
    });
    await expect(failing).rejects.toThrow();
    await fixture.expectNothingLeft();
    expect(await take(key)).toMatchObject({ kind: 'COMPLETED' });
  });

  it.each<[string, Partial<Fault>, 'ready' | 'changed']>([
    ['between two statements', {}, 'changed'],
    ['while a statement runs', { pauseSeconds: 60 }, 'ready'],
  ])(
    'R-024 B-14 a process that stands still %s loses its transaction at the deadline, at the server',
    async (_, fault, at) => {
      const key = newKey();
      await fixture.fault(key, { at: 'statement', ...fault });
      const program = startProgram('take-orders', {
        driver,
        url: fixture.url,
        request: order(key),
        amount: 100,
        stopAt: ['changed'],
        options: { deadlineMs: 5_000 },
      });
      await program.reaches('ready');
      program.go();
      if (at === 'changed') await program.reaches('changed');
      else await fixture.untilActive('insert into shop.orders');
      program.stop();
      await fixture.expectNothingLeft();
      expect(await fixture.committed(key)).toEqual(NOTHING);
      program.go();
      expect(await program.reaches('done')).toMatchObject({ kinds: ['UNAVAILABLE'] });
      expect(await fixture.committed(key)).toEqual(NOTHING);
    },
    30_000,
  );
});
