// A nested write of Prisma is several statements of which the program sees one promise.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prismaOver } from '@/lib/db/prisma';
import { FinalRefusal, prismaDatabase, runOnce, type RunOnceOptions } from '@/lib/ledger/run-once';
import { NORTH } from '@/lib/testing/ledger-fixture';
import { newKey, order, shopFixture, type ShopFixture } from '@/lib/testing/shop-fixture';

let fixture: ShopFixture;
let pool: pg.Pool;
beforeAll(async () => {
  fixture = await shopFixture();
  // Any two related tables do; these are the ones that the generated client of this repository knows.
  await fixture.db.pool('owner').query(
    `grant select, update on ledger.principals to onceover_producer;
     grant select, insert on ledger.producer_tokens to onceover_producer;
     grant execute on function ledger.new_id() to onceover_producer`,
  );
  pool = new pg.Pool({ connectionString: fixture.url, max: 2 });
});
afterEach(() => fixture.expectNothingLeft());
afterAll(async () => {
  await pool.end();
  await fixture.close();
});

async function rows(): Promise<number> {
  const { rows: found } = await fixture.db.pool('owner').query('select 1 from ledger.producer_tokens');
  return found.length;
}

const PARTS = 5;
const parts = () =>
  Array.from({ length: PARTS }, () => ({ prefix: 'p', digest: new Uint8Array(randomBytes(32)) }));

/** Begins a nested write, does not wait for it, and ends as told once its first statement is under way. */
async function leaveBehind(end: () => Promise<{ resultId: string }>, options: RunOnceOptions = {}) {
  const write = { ended: Promise.resolve('not begun') };
  const outcome = runOnce(
    prismaDatabase(prismaOver(pool)),
    order(newKey()),
    async (tx) => {
      const writing = tx.principal.update({
        where: { principalId: NORTH },
        data: { producerTokens: { create: parts() } },
      });
      write.ended = writing.then(
        () => 'whole',
        () => 'refused',
      );
      await new Promise(setImmediate);
      return end();
    },
    options,
  );
  return { outcome: await outcome.catch((error: unknown) => error), write: await write.ended };
}

describe('a nested write that nobody waited for', () => {
  it('R-023 B-14 LC-17 is undone with the refusal', async () => {
    const { outcome } = await leaveBehind(() => Promise.reject(new FinalRefusal('NO', 'no')));
    expect(outcome).toMatchObject({ kind: 'FAILED' });
    expect(await rows()).toBe(0);
  });

  it('R-022 B-14 LC-17 is undone with whatever the work throws, and no part of it is committed alone', async () => {
    const failure = new Error('on fire');
    const { outcome } = await leaveBehind(() => Promise.reject(failure));
    expect(outcome).toBe(failure);
    expect(await rows()).toBe(0);
  });

  it('R-024 B-14 LC-17 is undone with the deadline', async () => {
    const blocker = await fixture.db.pool('owner').connect();
    await blocker.query('begin; lock table ledger.producer_tokens in share mode');
    const leaving = leaveBehind(() => new Promise(() => undefined), { deadlineMs: 3_000 });
    await fixture.untilBlocked(1);
    const { outcome } = await leaving;
    await blocker.query('rollback');
    blocker.release();
    expect(outcome).toMatchObject({ kind: 'UNAVAILABLE', code: 'RETRY_DEADLINE_EXCEEDED' });
    expect(await rows()).toBe(0);
  });

  it('R-022 B-14 is there whole when the work succeeds', async () => {
    const { outcome, write } = await leaveBehind(async () => ({ resultId: newKey() }));
    expect(outcome).toMatchObject({ kind: 'COMPLETED' });
    expect([write, await rows()]).toEqual(['whole', PARTS]);
  });
});
