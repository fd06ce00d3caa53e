// Tenants and people, made as an installation program makes them: by the owner, with an audit event.
import { randomUUID } from 'node:crypto';
import { createPerson, type NewPerson } from '@/lib/access/create-person';
import { digestOf, makeSecret } from '@/lib/access/session-secret';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import type { TestDatabase } from './database';

/** A good password of every test person. */
export const PASSWORD = 'Kq7-열쇠 한 개!';

export const testContext: TransactionContext = {
  actor: { kind: 'system', id: 'system:test' },
  requestId: 'test',
  sourceAddress: null,
};

export async function makeTenants(db: TestDatabase, ...tenantIds: string[]): Promise<void> {
  await transaction(db.pool('owner'), testContext, (tx) =>
    tx.query(
      `insert into review.tenants (tenant_id, display_name, demo) select id, id, true from unnest($1::text[]) id
       on conflict do nothing`,
      [tenantIds],
    ),
  );
}

/** A person; an operator without tenants, by the name before the @, unless said otherwise. */
export async function makePerson(
  db: TestDatabase,
  person: Partial<NewPerson> & { email: string },
): Promise<string> {
  const answer = await createPerson(db.pool('owner'), testContext, {
    displayName: person.email.split('@')[0] ?? '',
    password: PASSWORD,
    roles: ['OPERATOR'],
    authorities: [],
    tenantIds: [],
    locale: null,
    ...person,
  });
  if (answer.kind === 'refused') throw new Error(`bug: ${person.email} was refused as ${answer.code}`);
  return answer.personId;
}

/** A session of that person, in which the password never has to be shown again unless said otherwise. */
export async function sessionOf(
  db: Pick<TestDatabase, 'pool'>,
  personId: string,
  authenticatedAt = 'infinity',
): Promise<string> {
  const { rows } = await transaction(db.pool('owner'), testContext, (tx) =>
    tx.query<{ session_id: string }>(
      `insert into review.sessions (secret_digest, person_id, expires_at, authenticated_at)
       values (sha256(convert_to($2, 'utf8')), $1, 'infinity', $3::text::timestamptz) returning session_id`,
      [personId, randomUUID(), authenticatedAt],
    ),
  );
  return rows[0]!.session_id;
}

/** The secret of a session of that person, just opened. */
export async function secretOf(db: Pick<TestDatabase, 'pool'>, personId: string): Promise<string> {
  const secret = makeSecret();
  await transaction(db.pool('owner'), testContext, (tx) =>
    tx.query(
      `insert into review.sessions (secret_digest, person_id, expires_at) values ($2, $1, ledger.clock() + interval '12 hours')`,
      [personId, digestOf(secret)],
    ),
  );
  return secret;
}

/** That person as the desk's reads and commands take an actor, without a session. */
export async function actorOf(db: Pick<TestDatabase, 'pool'>, personId: string): Promise<Actor> {
  const { rows } = await db.pool('app').query<Actor>(
    `select person_id as "personId", display_name as "displayName", email, roles, authorities, tenant_ids as "tenantIds",
            locale, '00000000-0000-7000-8000-000000000000' as "sessionId"
       from review.people where person_id = $1`,
    [personId],
  );
  const [actor] = rows;
  if (!actor) throw new Error(`bug: no person ${personId}`);
  return actor;
}
