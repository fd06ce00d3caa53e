import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { testContext } from '@/lib/testing/people';
import { chainStatus } from './chain-status';

let db: TestDatabase;
let now = 0;
const later = (ms: number) => {
  now += ms;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
};
const look = async () => (await chainStatus(db.pool('app'))).verification;
const append = () =>
  transaction(db.pool('owner'), testContext, (tx) =>
    appendAudit(tx, { event: 'sweep.ran_with_changes', outcome: 'done' }),
  );

beforeAll(async () => {
  db = await testDatabase();
  for (let n = 0; n < 3; n += 1) await append();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => db.drop());

describe('the state of the chain for the page', () => {
  it('R-087g is looked at once for everybody who asks at the same time, and anew a little later', async () => {
    later(10_000);
    const [one, other] = [chainStatus(db.pool('app')), chainStatus(db.pool('app'))];
    expect(one).toBe(other);
    expect((await one).verification).toEqual({ kind: 'verified', upTo: 3n });
    await append();
    expect(await look()).toEqual({ kind: 'verified', upTo: 3n });
    later(5_000);
    expect(await look()).toEqual({ kind: 'verified', upTo: 4n });
  });

  it('R-087g finds what a superuser changed in events that it had verified before', async () => {
    later(5_000);
    expect(await look()).toEqual({ kind: 'verified', upTo: 4n });
    await db.pool('superuser').query(`alter table review.audit_events disable trigger all;
      update review.audit_events set body = '{"forged": true}' where number = 2;
      alter table review.audit_events enable trigger all`);
    later(5_000);
    expect(await look()).toEqual({ kind: 'broken', fault: { number: 2n, reason: 'CHANGED' } });
  });

  it('is no verdict when it cannot be read, and is asked again at once', async () => {
    later(5_000);
    const broken = { query: () => Promise.reject(new Error('connection lost')) };
    await expect(chainStatus(broken)).rejects.toThrow('connection lost');
    expect((await look()).kind).toBe('broken');
  });
});
