import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type Program } from '@/lib/testing/program';
import { DRIVERS, openShop, type Shop } from '@/lib/testing/shop';
import { newKey, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

const PROCESSES = 4;
const CALLS = 5;

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterAll(() => fixture.close());

const count = (kinds: string[], kind: string) => kinds.filter((each) => each === kind).length;

describe.each(DRIVERS)('races in same-database mode over %s', (driver) => {
  let shop: Shop;
  let programs: Program[] = [];
  beforeAll(async () => {
    shop = openShop(driver, fixture.url, 3);
    const program = { driver, url: fixture.url, calls: CALLS };
    programs = Array.from({ length: PROCESSES }, () => startProgram('race-orders', program));
    // Processes that stand ready, so that the race is one of claims and not of starts.
    await Promise.all(programs.map((each) => each.reaches('ready')));
  }, 60_000);
  afterEach(() => fixture.expectNothingLeft());
  afterAll(async () => {
    await Promise.all(programs.map((each) => each.kill()));
    await shop.close();
  });

  /** What became of every call, each process at the same key with the amount of its place. */
  async function race(key: string, amountOf: (index: number) => number, refuse = false): Promise<string[]> {
    programs.forEach((program, index) => {
      const amount = amountOf(index);
      program.go({ request: order(key, amount), amount, refuse });
    });
    const said = await Promise.all(programs.map((program) => program.reaches('done')));
    return said.flatMap((each) => each.kinds as string[]);
  }

  const take = (key: string, options = {}, runs: string[] = []) =>
    shop.once(
      order(key),
      async (tx) => {
        runs.push(key);
        await tx.takeOrder(key, 100);
        return { resultId: `R-${key}` };
      },
      options,
    );

  it(`R-022 R-025a B-01 B-05 of ${PROCESSES * CALLS} equal calls in ${PROCESSES} processes one changes something and all others replay it`, async () => {
    const key = newKey();
    const kinds = await race(key, () => 100);
    expect([count(kinds, 'COMPLETED'), count(kinds, 'REPLAYED')]).toEqual([1, PROCESSES * CALLS - 1]);
    const { orders, states, attempts, intakes } = await fixture.committed(key);
    expect({ orders, states, attempts }).toEqual({
      orders: [100],
      states: ['SUCCEEDED'],
      attempts: ['SUCCEEDED'],
    });
    expect(intakes).toHaveLength(PROCESSES * CALLS);
    expect(count(intakes, 'CLAIMED')).toBe(1);
  }, 60_000);

  it('R-022 R-012a two contents at once: the first stands, the other is refused everywhere', async () => {
    const key = newKey();
    const kinds = await race(key, (index) => 100 + (index % 2));
    expect(count(kinds, 'COMPLETED')).toBe(1);
    expect(count(kinds, 'REFUSED')).toBe((PROCESSES * CALLS) / 2);
    expect((await fixture.committed(key)).orders).toHaveLength(1);
  }, 60_000);

  it('R-023 R-025a of many refusals at once one is decided, and all others replay it', async () => {
    const key = newKey();
    const kinds = await race(key, () => 1, true);
    expect([count(kinds, 'FAILED'), count(kinds, 'REPLAYED')]).toEqual([1, PROCESSES * CALLS - 1]);
    expect(await fixture.committed(key)).toMatchObject({ orders: [], states: ['FAILED_FINAL'] });
  }, 60_000);

  /** A rival that has claimed and changed, and waits; `end` lets it commit or fail. */
  async function rival(key: string) {
    let end: (failure?: Error) => void = () => undefined;
    const ending = new Promise<Error | undefined>((resolve) => (end = resolve));
    let reached: () => void = () => undefined;
    const atWork = new Promise<void>((resolve) => (reached = resolve));
    const running = shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 100);
      reached();
      const failure = await ending;
      if (failure) throw failure;
      return { resultId: `R-${key}` };
    });
    await atWork;
    return { end, running };
  }

  it('R-025a B-01 it waits for the rival and answers from what that committed', async () => {
    const key = newKey();
    const runs: string[] = [];
    const { end, running } = await rival(key);
    const waiting = take(key, {}, runs);
    await fixture.untilBlocked(1);
    end();
    expect(await running).toMatchObject({ kind: 'COMPLETED' });
    expect(await waiting).toMatchObject({ kind: 'RESULT_REUSED', resultId: `R-${key}` });
    expect(runs).toEqual([]);
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'R-025a R-024 under %s, where its snapshot cannot show the rival, it begins again and reads',
    async (isolation) => {
      const key = newKey();
      const runs: string[] = [];
      const { end, running } = await rival(key);
      const waiting = take(key, { isolation }, runs);
      await fixture.untilBlocked(1);
      end();
      expect(await running).toMatchObject({ kind: 'COMPLETED' });
      expect(await waiting).toMatchObject({ kind: 'RESULT_REUSED', resultId: `R-${key}` });
      expect(runs).toEqual([]);
    },
  );

  it('R-025b B-07 when the rival rolls back it claims, and rests on nothing that is not there', async () => {
    const key = newKey();
    const { end, running } = await rival(key);
    const waiting = take(key);
    await fixture.untilBlocked(1);
    end(new Error('the rival gives up'));
    await expect(running).rejects.toThrow('the rival gives up');
    expect(await waiting).toMatchObject({ kind: 'COMPLETED', execution: { attempt: 1 } });
    expect(await fixture.committed(key)).toMatchObject({ orders: [100], intakes: ['CLAIMED'] });
  });

  it('R-025a a record that never becomes readable ends as unconfirmed, with nothing run', async () => {
    const key = newKey();
    // As if a rival took the place and left it again each time.
    await fixture.db.pool('owner').query(
      `create or replace function ledger.swallow() returns trigger language plpgsql as $$
       begin return case when new.idempotency_key = '${key}' then null else new end; end $$;
       create or replace trigger executions_0_swallow before insert on ledger.executions
         for each row execute function ledger.swallow()`,
    );
    const runs: string[] = [];
    expect(await take(key, { baseDelayMs: 5 }, runs)).toMatchObject({
      kind: 'UNAVAILABLE',
      code: 'REQUEST_STATUS_UNCONFIRMED',
      tries: 3,
    });
    expect(runs).toEqual([]);
  });

  it('R-025a a state that this version does not know is never interpreted', async () => {
    const key = newKey();
    await take(key);
    await fixture.makeUnreadable(key);
    const runs: string[] = [];
    expect(await take(key, {}, runs)).toMatchObject({
      kind: 'REFUSED',
      code: 'UNKNOWN_IDEMPOTENCY_STATE',
      problem: { status: 500 },
    });
    expect(runs).toEqual([]);
    expect(await fixture.committed(key)).toMatchObject({ orders: [100], states: ['ARCHIVED'] });
  });
});
