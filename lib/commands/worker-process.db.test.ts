import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { lookupFixture, SECRET, type LookupFixture } from '@/lib/testing/lookup-fixture';
import { startWorker, type RunningWorker } from './worker-process';
import { ensureSweep, freeDeadJobs } from './worker-upkeep';
import { ROOT, TYPESCRIPT } from './toolchain.mjs';

let db: TestDatabase;
let fixture: LookupFixture;
const workers: RunningWorker[] = [];
const children: ChildProcess[] = [];
beforeAll(async () => {
  db = await testDatabase();
  fixture = await lookupFixture(db);
});
afterAll(async () => {
  await fixture.close();
  await db.drop();
});
beforeEach(async () => {
  await db.setClock(null);
  await fixture.connect();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await db
    .pool('owner')
    .query('DELETE FROM graphile_worker._private_jobs; DELETE FROM review.worker_heartbeats');
});

const needs = () => ({ pool: db.pool('worker'), asking: fixture.asking, log: pino({ level: 'silent' }) });
const start = async () => {
  const worker = await startWorker(needs());
  workers.push(worker);
  return worker;
};
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 10_000, interval: 50 });
const jobs = async (task: string) =>
  (
    await db
      .pool('owner')
      .query<{ key: string; wait: number; locked_by: string | null }>(
        `SELECT key, extract(epoch FROM run_at - now())::float8 AS wait, locked_by FROM graphile_worker.jobs WHERE task_identifier = $1`,
        [task],
      )
  ).rows;

describe('the worker', () => {
  it('R-062p evidence is attached before anybody asks', async () => {
    const { id, key } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key));
    await start();
    await eventually(async () => (await fixture.lookups(id)).map((each) => each.verdict)).toEqual([
      'APPLIED',
    ]);
  });

  it('R-045d what only time shows is found by the sweep, which plans itself again', async () => {
    const { id } = await fixture.ledger.started();
    await db.advanceClock('65 seconds');
    await start();
    await eventually(async () => (await fixture.ledger.exceptions(id)).map(({ kind }) => kind)).toEqual([
      'STUCK_PROCESSING',
    ]);
    await eventually(async () => {
      const [planned] = await jobs('sweep');
      return planned !== undefined && planned.locked_by === null && planned.wait > 5 && planned.wait < 16;
    }).toBe(true);
  });

  it('R-045f R-065l two workers at once look each exception up once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => fixture.unknownPayment()));
    fixture.answer((request, response) => {
      const key = new URL(request.url ?? '', 'http://x').searchParams.get('reference') ?? '';
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [fixture.payment(key)] }));
    });
    await Promise.all([start(), start()]);
    await eventually(async () => (await jobs('lookup')).length).toBe(0);
    for (const { id } of made) expect(await fixture.lookups(id)).toHaveLength(1);
  });

  it('B-22 a look of a killed worker is freed in seconds, another job after a minute', async () => {
    const { id, key, exceptionId } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key));
    await ensureSweep(db.pool('worker'));
    const lock = (age: string, job: string) =>
      db
        .pool('owner')
        .query(
          `UPDATE graphile_worker._private_jobs SET locked_by = 'killed-' || key, locked_at = now() - $1::interval WHERE key = $2`,
          [age, job],
        );
    await lock('15 seconds', `lookup:${exceptionId}`);
    await lock('50 seconds', 'sweep');
    expect(await freeDeadJobs(db.pool('worker'))).toBe(0);
    await lock('25 seconds', `lookup:${exceptionId}`);
    expect(await freeDeadJobs(db.pool('worker'))).toBe(1);
    await lock('70 seconds', 'sweep');
    expect(await freeDeadJobs(db.pool('worker'))).toBe(1);
    await start();
    await eventually(async () => (await fixture.lookups(id)).length).toBe(1);
  });

  it('B-91 a sweep that fails, a job that makes no sense and a lost plan stop nothing', async () => {
    const owner = db.pool('owner');
    await owner.query('ALTER FUNCTION review.sweep() RENAME TO sweep_gone');
    try {
      await owner.query(`SELECT review.enqueue('lookup', '{"nonsense": true}', 'bad-1', now())`);
      await start();
      await eventually(async () => {
        const [planned] = await jobs('sweep');
        return planned !== undefined && planned.wait > 5;
      }).toBe(true);
      await eventually(async () => (await jobs('lookup')).length).toBe(0);
      const { id, key } = await fixture.unknownPayment();
      fixture.answerItems(fixture.payment(key));
      await eventually(async () => (await fixture.lookups(id)).length).toBe(1);
    } finally {
      await owner.query('ALTER FUNCTION review.sweep_gone() RENAME TO sweep');
    }
    expect(await ensureSweep(db.pool('worker'))).toBe(false);
    await owner.query(`DELETE FROM graphile_worker._private_jobs WHERE key = 'sweep'`);
    expect(await ensureSweep(db.pool('worker'))).toBe(true);
    expect(await jobs('sweep')).toHaveLength(1);
  });

  it('R-057h a system that hangs for many does not hold up the lookups of another', async () => {
    await fixture.connect({ timeoutMs: 4_000 });
    fixture.answer((request, response) => {
      if (request.url?.startsWith('/api/payments')) return;
      const key = new URL(request.url ?? '', 'http://x').searchParams.get('reference') ?? '';
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [fixture.payment(key)] }));
    });
    for (let index = 0; index < 40; index += 1) await fixture.unknownPayment();
    await fixture.connectOther('other-system', { path: 'other' });
    await fixture.ledger.policy('other-operation', { connector_id: 'other-system' });
    await start();
    await eventually(async () => (await jobs('lookup')).some(({ locked_by }) => locked_by !== null)).toBe(
      true,
    );
    const { id } = await fixture.unknownPayment({ operation: 'other-operation' });
    const startedAt = performance.now();
    await eventually(async () => (await fixture.lookups(id)).length).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('the worker process', () => {
  const spawnWorker = async () => {
    const child = spawn(process.execPath, [...TYPESCRIPT, 'lib/commands/worker.ts'], {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: db.workerUrl, SECRET_STUB: SECRET, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    children.push(child);
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'message');
    return { child, output: () => output };
  };
  const heartbeats = async () =>
    (await db.pool('app').query('SELECT FROM review.worker_heartbeats')).rowCount;

  it('works, shows that it lives, and ends on SIGTERM without a trace of the secret', async () => {
    const { id, key } = await fixture.unknownPayment();
    fixture.answerItems(fixture.payment(key));
    const { child, output } = await spawnWorker();
    expect(await heartbeats()).toBe(1);
    await eventually(async () => (await fixture.lookups(id)).length).toBe(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await heartbeats()).toBe(0);
    expect(output()).toContain('"event":"looked_up"');
    expect(output()).not.toContain(SECRET);
  });

  it('ends with its parent', async () => {
    const { child } = await spawnWorker();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await heartbeats()).toBe(0);
  });
});
