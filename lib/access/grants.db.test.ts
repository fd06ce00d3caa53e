import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { makePerson, makeTenants, testContext } from '@/lib/testing/people';

let db: TestDatabase;
let personId: string;
beforeAll(async () => {
  db = await testDatabase();
  await makeTenants(db, 'tenant-north');
  personId = await makePerson(db, {
    email: 'hana@demo.local',
    authorities: ['money'],
    tenantIds: ['tenant-north'],
  });
});
afterAll(() => db.drop());

const person = (): TransactionContext => ({ ...testContext, actor: { kind: 'person', id: personId } });

describe('the tables of access', () => {
  it.each([
    `insert into review.people (email, email_canonical, display_name, roles) values ('m@x.y', 'm@x.y', 'M', '{ADMIN}')`,
    `update review.people set roles = '{ADMIN}'`,
    `update review.people set authorities = '{money}'`,
    `update review.people set tenant_ids = '{tenant-north}'`,
    `update review.people set disabled_at = null`,
    `update review.people set email_canonical = 'x@y.z'`,
    'delete from review.people',
    `insert into review.tenants values ('mine', 'Mine')`,
    `update review.tenants set demo = false`,
    'update review.sessions set person_id = person_id',
    `update review.sessions set expires_at = 'infinity'`,
    'delete from review.sessions',
    `update review.sessions set authenticated_at = 'infinity'`,
    `update review.sessions set last_seen_at = 'infinity'`,
    `update review.sessions set revoked_at = null`,
    `insert into review.sessions (secret_digest, person_id, expires_at) select sha256('x'), person_id, 'infinity' from review.people`,
    `update review.sign_in_links set used_at = null`,
    `update review.people set password_hash = null`,
    `delete from review.connectors`,
    `insert into review.connectors (connector_id, recipe) values ('x', '{}')`,
    `update review.connectors set recipe = '{}'`,
    `insert into review.connector_proposals default values`,
    `update review.connector_proposals set state = 'CONFIRMED'`,
    `insert into review.connector_versions default values`,
    `insert into review.right_grants (person_id, roles, authorities, reason, requested_by, requested_at, expires_at)
       select person_id, '{ADMIN}', '{}', 'because I want it', person_id, now(), now() from review.people`,
    `update review.right_grants set state = 'CONFIRMED'`,
    `update review.person_rights set since = '-infinity'`,
    `insert into ledger.producer_tokens (principal_id, prefix, digest) values ('p', 'x', sha256('x'))`,
    `update ledger.producer_tokens set revoked_at = null`,
    `insert into review.sign_in_links (person_id, digest, created_by, expires_at) values (gen_random_uuid(), sha256('x'), 'x', now())`,
    `update review.sign_in_links set expires_at = 'infinity'`,
    `update review.sign_in_attempts set at = at`,
    `insert into review.worker_heartbeats (worker_id) values ('x')`,
    'alter role onceover_app superuser',
    'set role onceover_owner',
  ])('the app may not: %s', async (sql) => {
    const attempt = transaction(db.pool('app'), testContext, (tx) => tx.query(sql));
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    'select password_hash from review.people',
    'select * from review.sessions',
    'select * from review.sign_in_links',
    'select * from review.right_grants',
    'select * from review.person_rights',
    'select * from review.identities',
    `update review.people set locale = 'ko'`,
  ])('the worker may not: %s', async (sql) => {
    await expect(transaction(db.pool('worker'), testContext, (tx) => tx.query(sql))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it.each([
    'people',
    'identities',
    'tenants',
    'sessions',
    'sign_in_links',
    'sign_in_attempts',
    'worker_heartbeats',
  ])('a producer and the signer do not even read review.%s', async (table) => {
    const { url } = await db.producer();
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await expect(client.query(`select * from review.${table}`)).rejects.toMatchObject({ code: '42501' });
    await client.end();
    await expect(db.pool('signer').query(`select * from review.${table}`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it.each([
    `update review.people set locale = 'ko'`,
    `update review.people set locale = 'ko' where false`,
    `select review.close_session(secret_digest) from (select secret_digest from review.sessions union all select sha256('x')) s`,
  ])('R-086a is not written without an actor and a request: %s', async (sql) => {
    await expect(db.pool('app').query(sql)).rejects.toMatchObject({ code: 'OA001' });
    await expect(transaction(db.pool('app'), null, (tx) => tx.query(sql))).rejects.toMatchObject({
      code: 'OA001',
    });
    await expect(
      transaction(db.pool('app'), { ...testContext, requestId: '' }, (tx) => tx.query(sql)),
    ).rejects.toMatchObject({ code: 'OA001' });
    const one = await db.pool('app').connect();
    await one.query('begin');
    await one.query(
      `select set_config('onceover.actor_kind', 'god', true), set_config('onceover.actor_id', 'x', true), set_config('onceover.request_id', 'x', true)`,
    );
    await expect(one.query(sql)).rejects.toMatchObject({ code: 'OA001' });
    await one.query('rollback');
    one.release();
  });

  it.each<[string, string]>([
    [`update review.people set roles = '{GOD}'`, 'people_roles_known'],
    [`update review.people set roles = array[null]`, 'people_roles_known'],
    [`update review.people set authorities = '{""}'`, 'people_authorities_named'],
    [`update review.people set tenant_ids = '{nowhere}'`, 'people_tenants_exist'],
    [`update review.people set locale = 'fr'`, 'people_locale_known'],
    [`insert into review.tenants values ('Not A Slug', 'x')`, 'tenants_id_form'],
  ])('holds its rules against the owner too: %s', async (sql, constraint) => {
    await expect(transaction(db.pool('owner'), testContext, (tx) => tx.query(sql))).rejects.toMatchObject({
      constraint,
    });
  });

  it('counts the versions of a person, whatever a writer says', async () => {
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query(`update review.people set version = 99`),
    );
    expect((await db.pool('app').query('select version from review.people')).rows).toEqual([{ version: 2 }]);
  });
});

describe('rights read fresh and held', () => {
  it('R-078a are those of this moment, and cannot be taken away before the decision is through', async () => {
    let demoted = false;
    const demotion = transaction(db.pool('app'), person(), async (tx) => {
      const { rows } = await tx.query('select roles, authorities, tenant_ids from review.held_actor()');
      expect(rows).toEqual([{ roles: ['OPERATOR'], authorities: ['money'], tenant_ids: ['tenant-north'] }]);
      const taken = transaction(db.pool('owner'), testContext, (other) =>
        other.query(`update review.people set roles = '{}'`),
      ).then(() => {
        demoted = true;
      });
      await expect
        .poll(
          async () =>
            (
              await db
                .pool('superuser')
                .query(
                  `select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
                  [db.name],
                )
            ).rows[0],
        )
        .toEqual({ n: 1 });
      expect(demoted).toBe(false);
      return { taken };
    });
    await (
      await demotion
    ).taken;
    const after = await transaction(db.pool('app'), person(), (tx) =>
      tx.query('select roles from review.held_actor()'),
    );
    expect(after.rows).toEqual([{ roles: [] }]);
  });

  it('R-078a AN-07 a disabled or unknown person holds none', async () => {
    const stranger: TransactionContext = {
      ...testContext,
      actor: { kind: 'person', id: '00000000-0000-7000-8000-000000000000' },
    };
    const held = (context: TransactionContext) =>
      transaction(db.pool('app'), context, (tx) => tx.query('select * from review.held_actor()'));
    await expect(held(stranger)).rejects.toMatchObject({ code: 'OA003' });
    expect((await held(testContext)).rowCount).toBe(0);
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query('update review.people set disabled_at = ledger.clock()'),
    );
    await expect(held(person())).rejects.toMatchObject({ code: 'OA003' });
  });
});
