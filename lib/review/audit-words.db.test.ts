import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { actorOf, makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { ANY_AUDIT_EVENT } from './audit-filter';
import { listAuditEvents } from './list-audit-events';

let db: TestDatabase;
let manager: Actor;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  await makeTenants(db, 'tenant-north');
  const account = {
    email: 'manager@demo.local',
    roles: ['MANAGER'] as const,
    tenantIds: ['tenant-north'],
  };
  manager = await actorOf(db, await makePerson(db, account));
});
afterAll(() => db.drop());

const search = async (text: string, cursor: string | null = null) => {
  const filter = { ...ANY_AUDIT_EVENT, text };
  const answer = await listAuditEvents(
    { actor: manager, db: db.pool('app') },
    { filter, sort: '-number', cursor, size: 50 },
  );
  if (answer.kind !== 'page') throw new Error('bug: our cursor was refused');
  return answer;
};

describe('a search of words in a long log', () => {
  it('R-088g looks through a bounded stretch of it, says how far, and goes on from there', async () => {
    const comment = (text: string) =>
      transaction(db.pool('owner'), testContext, (tx) =>
        appendAudit(tx, {
          event: 'exception.commented',
          outcome: 'done',
          tenantId: 'tenant-north',
          body: { text },
        }),
      );
    await comment('The bank answered');
    // As long as a log of many years: one event far up, put there past every guard.
    const superuser = db.pool('superuser');
    await superuser.query(`alter table review.audit_head disable trigger user`);
    await superuser.query(`update review.audit_head set number = 90000`);
    await comment('The shop answered');

    const first = await search('answered');
    expect(first.rows.map(({ number }) => number)).toEqual(['90001']);
    expect(first).toMatchObject({ search: 'words', unsearched: { after: '30002', onward: first.next } });
    const second = await search('answered', first.next);
    expect(second).toMatchObject({ unsearched: null, next: null });
    expect(second.rows.map(({ texts }) => texts?.['text']?.value)).toEqual(['The bank answered']);
    const between = await search('answered', second.previous);
    expect(between).toMatchObject({
      rows: [],
      unsearched: { after: `${60_000 + Number(second.rows[0]?.number)}`, onward: between.previous },
    });
    const back = await search('answered', between.previous);
    expect(back.rows.map(({ number }) => number)).toEqual(['90001']);

    // Without words the index leads to the rows, whatever lies between.
    const whole = await search('');
    expect(whole).toMatchObject({ search: 'none', unsearched: null });
    expect(whole.rows).toHaveLength(1 + Number(second.rows[0]?.number));
  });
});
