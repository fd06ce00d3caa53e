import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FinalRefusal, runOnce, TransactionEnded, type RunOnceOptions } from '@/lib/ledger/run-once';
import { DRIVERS, openShop, type Shop } from '@/lib/testing/shop';
import { newKey, NOTHING, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';
import type { RunOnceDatabase } from './database';

let fixture: ShopFixture;
beforeAll(async () => {
  fixture = await shopFixture();
});
afterAll(() => fixture.close());

describe.each(DRIVERS)('R-022 the transaction of the claim over %s', (driver) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(driver, fixture.url);
  });
  afterEach(() => fixture.expectNothingLeft());
  afterAll(() => shop.close());

  it('R-023 savepoints of the work are its own: a refusal undoes all of the change', async () => {
    const key = newKey();
    const refused = await shop.once(order(key), async (tx) => {
      await tx.takeOrder(key, 1);
      await tx.value('savepoint before_the_change');
      await tx.takeOrder(key, 2);
      await tx.value('rollback to savepoint before_the_change');
      await tx.takeOrder(key, 3);
      throw new FinalRefusal('NO', 'no');
    });
    expect(refused).toMatchObject({ kind: 'FAILED', retryable: false });
    expect(await fixture.committed(key)).toMatchObject({ orders: [], states: ['FAILED_FINAL'] });
  });

  it.each(['commit', 'rollback', 'rollback and chain', 'end'])(
    'R-022 %s inside the work is refused by name before it is sent, and nothing remains',
    async (statement) => {
      for (const end of ['a result', 'a refusal'] as const) {
        const key = newKey();
        let told: unknown;
        const running = shop.once(order(key), async (tx) => {
          await tx.takeOrder(key, 1);
          await tx.value(statement).catch((error: unknown) => (told = error));
          await tx.takeOrder(key, 2);
          if (end === 'a refusal') throw new FinalRefusal('NO', 'no');
          return { resultId: `R-${key}` };
        });
        await expect(running).rejects.toThrow(TransactionEnded);
        await expect(running).rejects.toThrow(/nothing was changed/);
        expect(told).toBeInstanceOf(TransactionEnded);
        expect(await fixture.committed(key)).toEqual(NOTHING);
      }
    },
  );

  it('R-037c the operation’s table of codes outranks a refusal, and the answer is what was recorded', async () => {
    const codes = { LIMIT: { class: 'RETRYABLE' }, OVER: { class: 'FINAL' } };
    await fixture.ledger.policy(`tabled-${driver}`, { outcome_codes: JSON.stringify(codes) });
    const told: unknown[] = [];
    for (const code of ['LIMIT', 'OVER', 'OTHER']) {
      const key = newKey();
      const outcome = await shop.once(order(key, 100, { operation: `tabled-${driver}` }), async (tx) => {
        await tx.takeOrder(key, 100);
        throw new FinalRefusal(code, 'no', { status: 409, body: {} });
      });
      const { states, orders } = await fixture.committed(key);
      told.push([code, outcome.kind, 'retryable' in outcome && outcome.retryable, states, orders]);
    }
    expect(told).toEqual([
      ['LIMIT', 'FAILED', true, ['FAILED_RETRYABLE'], []],
      ['OVER', 'FAILED', false, ['FAILED_FINAL'], []],
      ['OTHER', 'FAILED', false, ['FAILED_FINAL'], []],
    ]);
  });

  it.each<[string, object]>([
    ['a blank result id', { resultId: ' \u200b' }],
    ['a result id that is no text', { resultId: 5 }],
    ['a long address', { resultId: 'R', resultUrl: 'x'.repeat(3000) }],
    ['half a target', { resultId: 'R', target: { system: 's' } }],
  ])('R-022 %s is a mistake: thrown by name, and nothing remains', async (_, result) => {
    const key = newKey();
    const running = shop.once(order(key), async (tx) => (await tx.takeOrder(key, 1), result));
    await expect(running).rejects.toThrow(/^the result cannot be stored: (resultId|resultUrl|target) /);
    const refusing = shop.once(order(key), () => Promise.reject(new FinalRefusal('', 'm')));
    await expect(refusing).rejects.toThrow(/^the refusal cannot be stored: code is empty/);
    expect(await fixture.committed(key)).toEqual(NOTHING);
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'R-014c R-024 of two that come to one result at once under %s, one gets it and the other is in doubt',
    async (isolation) => {
      const options: RunOnceOptions = { isolation, maxAttempts: 5 };
      const resultId = `R-${newKey()}`;
      let ready = 0;
      let open = () => undefined as void;
      const both = new Promise<void>((resolve) => (open = resolve));
      const run = async () => {
        const key = newKey();
        const outcome = await shop.once(
          order(key),
          async (tx) => {
            await tx.takeOrder(key, 100);
            if ((ready += 1) >= 2) open();
            await both;
            return { resultId };
          },
          options,
        );
        return outcome.kind;
      };
      expect((await Promise.all([run(), run()])).toSorted()).toEqual(['COMPLETED', 'IN_DOUBT']);
    },
  );
});

describe('R-022 a transaction that was ended unseen', () => {
  /** A database whose work gets the bare connection: nothing sees what it sends. */
  const unguarded = (client: pg.Client): RunOnceDatabase<pg.Client> => ({
    async transaction(_, inside) {
      await client.query('begin');
      const result = await inside({
        sql: async <Row>(text: TemplateStringsArray, ...values: readonly unknown[]) => {
          const numbered = text.reduce((sql, part, index) => `${sql}$${index}${part}`);
          return (await client.query(numbered, [...values])).rows as Row[];
        },
        run: (work) => work(client),
      }).catch(async (error: unknown) => {
        await client.query('rollback');
        throw error;
      });
      await client.query('commit');
      return result;
    },
  });

  it.each(['commit', 'commit; begin', 'rollback', 'rollback; begin'])(
    'R-022 R-023 after %s neither a result nor a refusal is recorded, and the error says what happened',
    async (statement) => {
      for (const end of ['a result', 'a refusal']) {
        const client = new pg.Client(fixture.url);
        await client.connect();
        const key = newKey();
        const running = runOnce(unguarded(client), order(key), async (tx) => {
          await tx.query(statement);
          if (end === 'a refusal') throw new FinalRefusal('NO', 'no');
          return { resultId: `R-${key}` };
        });
        await expect(running).rejects.toThrow(TransactionEnded);
        await expect(running).rejects.toThrow(/may be committed without its result/);
        await client.end();
        const states = statement.startsWith('commit') ? ['PROCESSING'] : [];
        expect((await fixture.committed(key)).states).toEqual(states);
      }
    },
  );
});
