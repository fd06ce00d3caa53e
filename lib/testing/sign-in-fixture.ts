// What tests of signing in need: a browser's circumstances, somebody to sign in, and what the audit then tells.
import type { SignInAnswer, SignInOrigin } from '@/lib/access/sign-in';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from './database';
import type { Json } from './ledger-fixture';
import { makePerson, makeTenants, PASSWORD, testContext } from './people';

export const origin = (
  sourceAddress = '203.0.113.1',
  previousSecret: string | null = null,
): SignInOrigin => ({
  requestId: 'r-login',
  sourceAddress,
  userAgent: 'test\r\n agent',
  previousSecret,
});

export const secretOf = (answer: SignInAnswer): string => {
  if (answer.kind !== 'signed-in') throw new Error(`expected a session, got ${answer.kind}`);
  return answer.secret;
};

export async function signInDatabase(): Promise<TestDatabase> {
  const db = await testDatabase();
  await makeTenants(db, 'tenant-north', 'tenant-south');
  return db;
}

/** Hana of the north, who may decide about money. */
export const makeHana = (
  db: TestDatabase,
  email: string,
  password: string | null = PASSWORD,
): Promise<string> =>
  makePerson(db, {
    email,
    password,
    displayName: 'Hana',
    authorities: ['money'],
    tenantIds: ['tenant-north'],
  });

interface SessionEvent extends Json {
  event: string;
  body: Json;
}

export async function sessionEvents(db: TestDatabase): Promise<SessionEvent[]> {
  const { rows } = await db.pool('signer').query<SessionEvent>(
    `select event, outcome, refusal_code as code, actor_id as actor, source_address as source, body::json as body
         from review.audit_events where event like 'session.%' order by number`,
  );
  return rows;
}

/** Everything owner-side, as an administrator's program would: with a context. */
export const changeAsOwner = (db: TestDatabase, sql: string) =>
  transaction(db.pool('owner'), testContext, (tx) => tx.query(sql));
