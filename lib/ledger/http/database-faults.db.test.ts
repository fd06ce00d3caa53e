import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '@/lib/db/pool';
import { expectProblem } from '@/lib/testing/expect-problem';
import { faultProxy, throughProxy, type FaultProxy } from '@/lib/testing/fault-proxy';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

let api: ProducerApiUnderTest;
let proxy: FaultProxy;
let faulty: Pool;
let pool: Pool | undefined;

beforeAll(async () => {
  api = await producerApiUnderTest({ pool: () => pool ?? api.pool });
  const { hostname, port } = new URL(api.db.appUrl);
  proxy = await faultProxy({ host: hostname, port: Number(port) });
});
afterAll(async () => {
  await faulty?.end();
  await proxy.close();
  await api.close();
});
beforeEach(async () => {
  proxy.cut(false);
  await faulty?.end();
  faulty = makePool({ connectionString: throughProxy(api.db.appUrl, proxy), name: 'producers', max: 3 });
  pool = faulty;
});

describe('R-038 the store is unreachable', () => {
  it('R-038 nothing executes and the answer is 503 with Retry-After; afterwards all is well again', async () => {
    expect((await api.claim('k-before')).status).toBe(201);
    proxy.cut(true);
    const answer = await api.claim('k-down');
    expectProblem(answer, 503, 'DATABASE_UNAVAILABLE');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|password/i);
    proxy.cut(false);
    expect(await api.execution('k-down')).toBeUndefined();
    expect((await api.claim('k-down')).status).toBe(201);
  });

  it('R-026 DF-01 a claim whose answer is lost on the way from the database is answered from its record', async () => {
    await api.claim('k-warm');
    proxy.dropAnswerTo('claim_as');
    const answer = await api.claim('k-lost');
    expect(proxy.struck.at(-1)).toBe('answer claim_as');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ fencingToken: '1', attempt: 1 });
    expect(await api.execution('k-lost')).toMatchObject({ attempt: 1, fencing_token: '1' });
  });

  it('R-026 DF-02 a claim that never reached the database is sent once more and claims once', async () => {
    await api.claim('k-warm-2');
    proxy.dropStatement('claim_as');
    expect((await api.claim('k-cut')).body).toMatchObject({ disposition: 'CLAIMED' });
    expect(await api.intakes('k-cut')).toEqual(['CLAIMED']);
  });

  it('R-026 DF-01 a report whose answer is lost is answered with its own outcome', async () => {
    const { executionId } = await api.started('k-report');
    proxy.dropAnswerTo('complete_as');
    const answer = await api.report(executionId, 'complete', { fencingToken: '1', resultId: 'R-lost' });
    expect(answer.body, answer.text).toMatchObject({ state: 'SUCCEEDED', resultId: 'R-lost' });
  });

  it('DF-11 R-038 a row locked for long is 503 after the lock timeout, not a hanging request', async () => {
    const { executionId } = await api.started('k-locked');
    const locker = await api.db.pool('owner').connect();
    await locker.query('begin');
    await locker.query('select 1 from ledger.executions where execution_id = $1 for update', [executionId]);
    const started = performance.now();
    const answers = await Promise.all([
      api.claim('k-locked'),
      api.report(executionId, 'heartbeat', { fencingToken: '1' }),
    ]);
    const seconds = (performance.now() - started) / 1000;
    await locker.query('rollback');
    locker.release();
    for (const answer of answers) expectProblem(answer, 503, 'DATABASE_UNAVAILABLE');
    expect(seconds).toBeLessThan(5);
    expect((await api.claim('k-locked')).body['code']).toBe('REQUEST_IN_PROGRESS');
  });

  it('DF-06 R-038 B-17 with every connection taken the answer is 503 within 5 seconds', async () => {
    const held = await Promise.all([faulty.connect(), faulty.connect(), faulty.connect()]);
    const started = performance.now();
    expectProblem(await api.claim('k-full'), 503, 'DATABASE_UNAVAILABLE');
    expect(performance.now() - started).toBeLessThan(5000);
    for (const client of held) client.release();
    expect((await api.claim('k-full')).status).toBe(201);
  });

  it('B-16 no lock and no open transaction is left behind', async () => {
    const { rows } = await api.db.pool('superuser').query(
      `select 1 from pg_locks l join pg_database d on d.oid = l.database where d.datname = $1 and l.locktype = 'advisory'
       union all select 1 from pg_stat_activity where datname = $1 and state like 'idle in transaction%'`,
      [api.db.name],
    );
    expect(rows).toEqual([]);
  });

  it('PR-03 an error of ours is 500 without its text, and the log names it without values', async () => {
    pool = { connect: () => Promise.reject(new Error('CANARY secret text')) } as unknown as Pool;
    const answer = await api.claim('k-ours');
    expectProblem(answer, 500, 'INTERNAL_ERROR');
    expect(answer.body['instance']).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(JSON.stringify([answer.text, api.logged])).not.toContain('CANARY');
    expect(
      api.logged.some(
        (line) =>
          line['msg'] === 'producer request failed' &&
          `urn:uuid:${String(line['requestId'])}` === answer.body['instance'],
      ),
    ).toBe(true);
  });
});
