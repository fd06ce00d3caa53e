// R-078i: a provider's subject is one person for ever, also when two sign-ins with it come at the same moment.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction, type Transaction, type TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { asActor, ledgerFixture, type Json } from '@/lib/testing/ledger-fixture';
import { overtaken } from '@/lib/testing/overtaking';
import { makePerson, testContext } from '@/lib/testing/people';
import { rightsRow } from '@/lib/testing/people-forms';

const ISSUER = 'https://login.example.test';
const LOGIN: TransactionContext = { ...testContext, actor: { kind: 'system', id: 'system:login' } };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await ledgerFixture(db);
});
afterAll(() => db.drop());

const app = () => ({ pool: db.pool('app'), context: LOGIN });

async function invited(): Promise<{ personId: string; email: string }> {
  const email = `p-${randomUUID()}@example.test`;
  const person = {
    email,
    password: null,
    roles: ['OPERATOR' as const],
    authorities: [],
    tenantIds: ['tenant-north'],
  };
  return { personId: await makePerson(db, person), email };
}

const signIn = (email: string, subject: string, roles: string[]) => async (tx: Transaction) => {
  const input = { issuer: ISSUER, subject, email, roles, sessionId: null };
  const { rows } = await tx.query<{ answer: Json }>(
    'select review.sign_in_by_provider($1::jsonb) as answer',
    [JSON.stringify(input)],
  );
  return rows[0]?.answer;
};

const told = async (personId: string) =>
  (
    await db.pool('owner').query<{ event: string }>(
      `select event from review.audit_events where event like 'people.%' and body::jsonb->>'personId' = $1 and outcome = 'done'
         and event <> 'people.created' order by number`,
      [personId],
    )
  ).rows.map(({ event }) => event);

it('R-078i one subject with two invited addresses at once is the first one’s person, and the other keeps the invitation', async () => {
  const [first, second] = [await invited(), await invited()];
  const subject = randomUUID();
  const late = await overtaken(db, app(), signIn(first.email, subject, []), () =>
    transaction(db.pool('app'), LOGIN, signIn(second.email, subject, ['APPROVER', 'ADMIN'])),
  );
  // The known subject before the address, as one after the other.
  expect(late).toMatchObject({ outcome: 'done', personId: first.personId });
  expect(await rightsRow(db, second.personId)).toMatchObject({ roles: ['OPERATOR'] });
  expect(await told(second.personId)).toEqual([]);
});

it('R-078i one address with two subjects at once is linked to one of them', async () => {
  const { personId, email } = await invited();
  const late = await overtaken(db, app(), signIn(email, randomUUID(), []), () =>
    transaction(db.pool('app'), LOGIN, signIn(email, randomUUID(), ['ADMIN'])),
  );
  expect(late).toEqual({ outcome: 'refused', code: 'IDENTITY_TAKEN' });
  expect(await rightsRow(db, personId)).toMatchObject({ roles: ['OPERATOR'] });
});

it('R-078i the database links no subject to a second person, whoever asks', async () => {
  const [first, second] = [await invited(), await invited()];
  const subject = randomUUID();
  expect(await transaction(db.pool('app'), LOGIN, signIn(first.email, subject, []))).toMatchObject({
    outcome: 'done',
  });
  const linking = asActor(db.pool('owner'), { kind: 'system', id: 'system:login' }, (client) =>
    client.query('select review.link_identity($1, p) from review.people p where p.person_id = $2', [
      JSON.stringify({ issuer: ISSUER, subject }),
      second.personId,
    ]),
  );
  await expect(linking).rejects.toMatchObject({ code: 'OA002' });
});
