import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction, type Transaction } from '@/lib/db/transaction';
import { testContext } from '@/lib/testing/people';
import { startProgram } from '@/lib/testing/program';
import { NOW, archivesOf, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';
import { readRetirements } from '../retirements';

const NAME = 'onceover-audit-1-12.jsonl';
let world: RetirementFixture;
beforeEach(async () => {
  world = await retirementFixture();
  await world.append(12, { body: { text: 'long ago' } });
  await world.cut();
  await world.db.setClock(NOW);
});
afterEach(() => world.close());

const start = () =>
  startProgram('retire', {
    url: world.db.ownerUrl,
    checkpoints: world.signer.signer.files.checkpoints,
    folder: world.folder,
  });
/** Until called, nobody can drop the old partition. */
async function holdPartition(): Promise<() => Promise<void>> {
  const client = await world.db.pool('superuser').connect();
  await client.query('begin; lock table review.audit_events_1 in access share mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
const archive = () => path.join(world.folder, NAME);
const waiting = async (event: string) => {
  const { rowCount } = await world.db
    .pool('superuser')
    .query(`select from pg_stat_activity where datname = current_database() and wait_event = $1`, [event]);
  return (rowCount ?? 0) > 0;
};
async function nothingHasLeft(): Promise<void> {
  expect(await readRetirements(world.db.pool('app'))).toEqual([]);
  expect(await world.numbers()).toMatchObject({ first: '1' });
  expect(await world.verify()).toMatchObject({ kind: 'verified' });
}
async function isDoneByTheNext(): Promise<void> {
  expect(await world.retire()).toMatchObject({ outcome: 'done', first: 1n, last: 12n });
  expect(readdirSync(world.folder)).toEqual([NAME]);
  expect(await world.verify(await archivesOf(world))).toMatchObject({ kind: 'verified' });
}

describe('a run that is killed', () => {
  it('R-089f while it writes: the next one writes anew', async () => {
    writeFileSync(`${archive()}.part`, '{"type":"export","format":"onc');
    await nothingHasLeft();
    await isDoneByTheNext();
  });

  it('R-089f between the archive and the drop: the next one makes the same file', async () => {
    const letGo = await holdPartition();
    const program = start();
    await expect.poll(() => existsSync(archive()), { timeout: 20_000 }).toBe(true);
    await program.kill();
    const first = readFileSync(archive(), 'utf8');
    await letGo();
    await nothingHasLeft();
    await isDoneByTheNext();
    expect(readFileSync(archive(), 'utf8')).toBe(first);
  });

  it('R-089f inside the drop’s transaction: nothing of it happened', async () => {
    const superuser = world.db.pool('superuser');
    await superuser.query(`create function review.wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(42); return new; end $$;
      create trigger wait_here before insert on review.audit_retirements for each row execute function review.wait_here()`);
    const gate = await superuser.connect();
    await gate.query('select pg_advisory_lock(42)');
    const program = start();
    const reached = async () => {
      await expect.poll(() => waiting('advisory'), { timeout: 20_000, interval: 20 }).toBe(true);
    };
    await world.answerWhile(reached());
    await program.kill();
    await gate.query('select pg_advisory_unlock(42)');
    gate.release();
    await expect
      .poll(async () => {
        const { rowCount } = await superuser.query(
          `select from pg_stat_activity where datname = current_database() and usename = 'onceover_owner' and state <> 'idle'`,
        );
        return rowCount;
      })
      .toBe(0);
    await superuser.query('drop trigger wait_here on review.audit_retirements');
    await nothingHasLeft();
    await isDoneByTheNext();
  });

  it('R-089f a file of that name that holds something else is not written over', async () => {
    writeFileSync(archive(), 'what somebody keeps here');
    expect(await world.retire()).toMatchObject({
      outcome: 'unproven',
      text: expect.stringContaining('holds something else') as unknown,
    });
    expect(readFileSync(archive(), 'utf8')).toBe('what somebody keeps here');
    await nothingHasLeft();
  });
});

describe('beside others', () => {
  it('R-089f a second run is refused while one is at it', async () => {
    const letGo = await holdPartition();
    const first = world.retire();
    await expect.poll(() => existsSync(archive()), { timeout: 20_000 }).toBe(true);
    expect(await world.retire()).toEqual({ outcome: 'busy' });
    await letGo();
    expect(await first).toMatchObject({ outcome: 'done' });
  });

  it('R-089f AU-07 writers go on without an error while the open partition is cut and the old one leaves', async () => {
    await world.db.setClock('2026-12-20T08:00:00Z');
    let stopped = false;
    // Each in one attempt. Every other one reads before it writes, as those who look up an operation id.
    const write = async (_: unknown, writer: number) => {
      let written = 0;
      const act = async (tx: Transaction) => {
        if (writer % 2 === 0)
          await tx.query('select from review.audit_events where operation_id = gen_random_uuid()');
        const body = { text: `${written}` };
        await appendAudit(tx, { event: 'exception.commented', outcome: 'done', body });
      };
      for (; !stopped; written += 1)
        await transaction(world.db.pool('owner'), testContext, act, { attempts: 1 });
      return written;
    };
    const writers = Promise.all(Array.from({ length: 6 }, write));
    writers.catch(() => (stopped = true));
    const done = await world.retire().finally(() => (stopped = true));
    const written = await writers;
    expect(done).toMatchObject({ outcome: 'done', last: 12n });
    const { rows } = await world.db
      .pool('app')
      .query<{ cuts: number }>('select count(*)::int as cuts from review.audit_cuts');
    expect(rows).toEqual([{ cuts: 2 }]);
    expect(Math.min(...written)).toBeGreaterThan(0);
    await world.signUp();
    expect(await world.verify(await archivesOf(world))).toMatchObject({
      kind: 'verified',
      upTo: 12n + 1n + 1n + BigInt(written.reduce((sum, each) => sum + each, 0)),
    });
  }, 60_000);
});
