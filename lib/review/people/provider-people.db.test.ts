import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOfSecret } from '@/lib/access/session';
import { signInByLink } from '@/lib/access/sign-in-link';
import { transaction } from '@/lib/db/transaction';
import { decideRequest } from '@/lib/review/decide-request';
import type { LookingContext } from '@/lib/review/desk-context';
import { ORIGIN } from '@/lib/testing/audited-act';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { actorOf, makePerson, sessionOf, testContext } from '@/lib/testing/people';
import { personForm, rightsForm, rightsRow } from '@/lib/testing/people-forms';
import { changeRights } from './change-rights';
import { getPerson } from './get-person';
import { resetPerson } from './reset-person';

const ISSUER = 'https://login.example.test';
let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let admin: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  admin = await desk.desk({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** A person as the administrator's page shows them. */
const seen = (personId: string) => getPerson({ actor: admin.actor, db: db.pool('app') }, personId);

/** Somebody invited with these roles, and how the provider signs them in with others. */
async function invited(roles: ('OPERATOR' | 'APPROVER')[], authorities: string[] = []) {
  const email = `p-${randomUUID()}@example.test`;
  const personId = await makePerson(db, {
    email,
    password: null,
    roles,
    authorities,
    tenantIds: ['tenant-north'],
  });
  const input = { issuer: ISSUER, subject: personId, email, sessionId: null };
  const signIn = (given: string[], more: Record<string, unknown> = {}) =>
    transaction(
      db.pool('app'),
      { ...testContext, actor: { kind: 'system', id: 'system:login' } },
      async (tx) => {
        const { rows } = await tx.query<{ answer: Record<string, unknown> }>(
          'select review.sign_in_by_provider($1::jsonb) as answer',
          [JSON.stringify({ ...input, roles: given, ...more })],
        );
        return rows[0]?.answer;
      },
    );
  return { personId, signIn };
}

describe('people of the provider', () => {
  it('AZ-15 R-078e R-078h a role that the provider gave after the request decides nothing of it', async () => {
    const { personId, signIn } = await invited(['OPERATOR'], ['money']);
    await signIn([]);
    const form = await doubtFixture(desk, operator).requested();
    await signIn(['APPROVER']);
    const acting = async (): Promise<LookingContext> => ({
      ...operator,
      actor: await actorOf(db, personId),
      context: {
        ...operator.context,
        actor: { kind: 'person', id: personId },
        sessionId: await sessionOf(db, personId),
      },
    });
    expect(await decideRequest(await acting(), form.verdict())).toEqual({
      outcome: 'refused',
      code: 'RIGHT_TOO_NEW',
    });
    const later = await doubtFixture(desk, operator).requested();
    expect(await decideRequest(await acting(), later.verdict())).toMatchObject({ outcome: 'done' });
  });

  it('R-078h administrators see whose word a role stands on, and one they take away comes back new', async () => {
    const { personId, signIn } = await invited(['OPERATOR']);
    await signIn(['MANAGER']);
    expect(await seen(personId)).toMatchObject({
      state: 'ACTIVE',
      issuer: ISSUER,
      roles: ['MANAGER', 'OPERATOR'],
      providerRoles: ['MANAGER'],
    });
    await changeRights(admin, await rightsForm(db, personId, { roles: ['OPERATOR'] }));
    expect(await seen(personId)).toMatchObject({ roles: ['OPERATOR'], providerRoles: [] });
    await signIn(['MANAGER']);
    expect(await seen(personId)).toMatchObject({ providerRoles: ['MANAGER'] });
  });

  it('R-078f R-078l a reset ends the way in at the provider and what it gave, until the reset’s link was used', async () => {
    const { personId, signIn } = await invited(['OPERATOR', 'APPROVER'], ['money']);
    await signIn(['MANAGER', 'ADMIN']);
    const answer = await resetPerson(admin, await personForm(db, personId));
    expect(answer).toMatchObject({ outcome: 'done' });
    expect(await rightsRow(db, personId)).toMatchObject({ roles: ['OPERATOR'], authorities: [] });
    const { grant, issuer } = (await seen(personId))!;
    // What administrators gave waits for them; the provider's is not theirs to give back.
    expect([grant?.roles, grant?.authorities, issuer]).toEqual([['APPROVER'], ['money'], null]);
    // The account at the provider may be what was stolen: neither its subject nor another one gets in by the address.
    expect(await signIn(['ADMIN'])).toEqual({ outcome: 'refused', code: 'LINK_FIRST' });
    expect(await signIn([], { subject: `new-${personId}` })).toEqual({
      outcome: 'refused',
      code: 'LINK_FIRST',
    });
    expect(await rightsRow(db, personId)).toMatchObject({ roles: ['OPERATOR'] });
    const secret = answer.outcome === 'done' ? answer.shownOnce : undefined;
    const opened = await signInByLink(db.pool('app'), secret, ORIGIN);
    if (opened.kind !== 'signed-in') throw new Error(opened.kind);
    expect(await signIn([])).toEqual({ outcome: 'refused', code: 'LINK_FIRST' });
    const present = await actorOfSecret(db.pool('app'), opened.secret);
    expect(await signIn([], { sessionId: present?.sessionId })).toMatchObject({ outcome: 'done', personId });
    const { rows } = await db
      .pool('owner')
      .query(
        `select count(*)::int as n, count(ended_at)::int as ended from review.identities where person_id = $1`,
        [personId],
      );
    expect(rows).toEqual([{ n: 1, ended: 0 }]);
  });

  it('R-078i of two subjects that come for one person at once, one gets in', async () => {
    const { personId } = await invited([]);
    const { rows } = await db
      .pool('owner')
      .query<{ email: string }>('select email from review.people where person_id = $1', [personId]);
    const come = (subject: string) =>
      transaction(db.pool('app'), { ...testContext, actor: { kind: 'system', id: 'system:login' } }, (tx) =>
        tx.query<{ answer: { outcome: string } }>('select review.sign_in_by_provider($1::jsonb) as answer', [
          JSON.stringify({ issuer: ISSUER, subject, email: rows[0]?.email, roles: [], sessionId: null }),
        ]),
      );
    const answers = await Promise.all(['one', 'two', 'three'].map((name) => come(`${name}-${personId}`)));
    expect(answers.map((answer) => answer.rows[0]?.answer.outcome).sort()).toEqual([
      'done',
      'refused',
      'refused',
    ]);
  });
});
