import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideRequest } from '@/lib/review/decide-request';
import { getRequest } from '@/lib/review/get-request';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { actorOf } from '@/lib/testing/people';
import { rightsForm } from '@/lib/testing/people-forms';
import { changeRights } from './change-rights';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

describe('an approver who is demoted while the page is open', () => {
  it.each([
    [{ roles: ['OPERATOR'] }, 'ROLE_MISSING'],
    [{ authorities: [] }, 'AUTHORITY_MISSING'],
  ])(
    'AN-07 R-078a is refused at the next press, on record, and sees no button then: %j',
    async (taken, code) => {
      const approver = await desk.desk({ roles: ['APPROVER'] });
      const admin = await desk.desk({ roles: ['ADMIN'] });
      const form = (await doubtFixture(desk, await desk.desk()).requested()).verdict();
      const requestId = String(form['requestId']);
      expect(await getRequest(approver, requestId)).toMatchObject({ decideRefusal: null });
      // The page in the other window keeps the actor of before, as an open page does.
      expect(await changeRights(admin, await rightsForm(db, approver.actor.personId, taken))).toMatchObject({
        outcome: 'done',
      });
      for (const verdict of ['APPROVE', 'REJECT'])
        expect(await decideRequest(approver, { ...form, verdict })).toMatchObject({
          outcome: 'refused',
          code,
        });
      expect(await desk.audit({ operationId: form.operationId })).toMatchObject([
        { outcome: 'refused', refusal_code: code },
        { outcome: 'refused', refusal_code: code },
      ]);
      const now = { ...approver, actor: await actorOf(db, approver.actor.personId) };
      expect(await getRequest(now, requestId)).toMatchObject({ decideRefusal: code });
    },
  );
});
