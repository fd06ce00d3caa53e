import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool, type Pool } from '@/lib/db/pool';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { faultProxy, type FaultProxy } from '@/lib/testing/fault-proxy';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';
import { requestReissue } from './request-reissue';
import { settleOperation } from './settle-operation';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let proxy: FaultProxy;
let pool: Pool;
/** The operator behind a network that loses answers. */
let far: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  const url = new URL(db.appUrl);
  proxy = await faultProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  pool = makePool({ connectionString: url.href, name: 'far', max: 4 });
  far = { ...operator, pool };
});
afterAll(async () => {
  await pool.end();
  await proxy.close();
  await desk.close();
  await db.drop();
});

const decided = async (id: string) => {
  const { rows } = await db
    .pool('owner')
    .query('select 1 from review.decisions where execution_id = $1', [id]);
  return rows.length;
};

describe('an answer that got lost', () => {
  it('R-085b the COMMIT was carried out: the operation id tells that it is done', async () => {
    const { id, form } = await doubts.paid();
    proxy.dropAnswerTo('commit');
    expect(await linkResult(far, form)).toEqual({ outcome: 'done', repeated: true });
    expect(proxy.struck.at(-1)).toBe('answer commit');
    expect(await decided(id)).toBe(1);
  });

  it('R-085c the COMMIT never arrived: not known yet, never "failed"; sending again decides once', async () => {
    const { id, form } = await doubts.paid();
    proxy.dropStatement('commit');
    expect(await linkResult(far, form)).toEqual({ outcome: 'unknown' });
    expect(await settleOperation(operator, form.operationId)).toEqual({ outcome: 'unknown' });
    expect(await decided(id)).toBe(0);
    expect(await linkResult(far, form)).toEqual({ outcome: 'done', repeated: false });
    expect(await linkResult(far, form)).toEqual({ outcome: 'done', repeated: true });
    expect(await decided(id)).toBe(1);
  });

  it('R-085b a request is found again with its number', async () => {
    const { form } = await doubts.unpaid();
    proxy.dropAnswerTo('commit');
    const wish = { relation: 'RETRY_AS_NEW', originalFate: 'never happened', intakeId: null };
    const answer = await requestReissue(far, { ...form, ...wish });
    expect(answer).toEqual({ outcome: 'requested', repeated: true, requestId: expect.any(String) });
  });

  it('R-085b while the database is away it stays unknown', async () => {
    const { form } = await doubts.paid();
    proxy.cut(true);
    expect(await settleOperation(far, form.operationId)).toEqual({ outcome: 'unknown' });
    proxy.cut(false);
  });

  it('R-085b a refusal is told as one, and another person’s operation is nobody else’s', async () => {
    const { form } = await doubts.paid();
    expect(await linkResult(operator, { ...form, exceptionVersion: '999' })).toMatchObject({
      outcome: 'refused',
      code: 'CHANGED_SINCE_SEEN',
    });
    expect(await settleOperation(operator, form.operationId)).toEqual({
      outcome: 'refused',
      code: 'CHANGED_SINCE_SEEN',
    });
    expect(await settleOperation(await desk.desk(), form.operationId)).toEqual({ outcome: 'unknown' });
    // What was done later under the same id counts more than an earlier "no".
    await linkResult(operator, form);
    expect(await settleOperation(operator, form.operationId)).toEqual({ outcome: 'done', repeated: true });
  });
});
