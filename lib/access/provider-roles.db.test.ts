import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import type { Role } from '@/lib/domain/actor';
import { ORIGIN } from '@/lib/testing/auth-browser';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startIdentityProvider, type RunningProvider } from '@/lib/testing/identity-provider';
import { makePerson, makeTenants, testContext } from '@/lib/testing/people';
import { ProviderBrowser } from '@/lib/testing/provider-browser';

let db: TestDatabase;
let provider: RunningProvider;
beforeAll(async () => {
  // This one tells everything in the token; the other tests' provider behind its user-info address.
  provider = await startIdentityProvider({ product: ORIGIN, inToken: true });
  Object.assign(process.env, provider.environment, {
    OIDC_ROLE_CLAIM: '/realm_access/roles',
    NEXTAUTH_URL: ORIGIN,
    NEXTAUTH_SECRET: 'a secret of the test that is long enough for it',
  });
  db = await testDatabase();
  await makeTenants(db, 'tenant-north');
});
afterAll(async () => {
  delete process.env['OIDC_ROLE_CLAIM'];
  await provider.stop();
  await db.drop();
});

const change = (sql: string, values: unknown[] = []) =>
  transaction(db.pool('owner'), testContext, (tx) => tx.query(sql, values));

async function invited(roles: readonly Role[]) {
  const subject = `s-${randomUUID()}`;
  const email = `p-${randomUUID()}@example.test`;
  const personId = await makePerson(db, { email, password: null, roles, tenantIds: ['tenant-north'] });
  return {
    personId,
    /** Signs in while the provider says this. */
    signIn: (claims: Record<string, unknown>) => {
      provider.accounts.set(subject, { email, email_verified: true, ...claims });
      return new ProviderBrowser(db.pool('app'), { email, password: '' }).signInAt(subject);
    },
    told: (names: unknown) => ({ realm_access: { roles: names } }),
  };
}

const rolesOf = async (personId: string): Promise<string[]> => {
  const { rows } = await db
    .pool('owner')
    .query<{ name: string }>(
      'select unnest(roles) as name from review.people where person_id = $1 order by 1',
      [personId],
    );
  return rows.map((row) => row.name);
};
const fromProvider = async (personId: string) =>
  (
    await db
      .pool('owner')
      .query<{ name: string; since: string }>(
        `select name, since::text as since from review.person_rights where person_id = $1 and issuer = $2 order by name`,
        [personId, provider.issuer],
      )
  ).rows;
const changes = async (personId: string) =>
  (
    await db.pool('owner').query(
      `select outcome, refusal_code as code, actor_id as actor, body::json->'before'->'roles' as before, body::json->'after'->'roles' as after
         from review.audit_events where event = 'people.rights_changed' and body::json->>'personId' = $1 order by number`,
      [personId],
    )
  ).rows;

describe('roles from the provider', () => {
  it('R-078h are what it told at the last sign-in, beside those that administrators gave, and on record', async () => {
    const { personId, signIn, told } = await invited(['OPERATOR']);
    expect(await signIn(told(['APPROVER', 'OPERATOR', 'everyone', 'admin']))).toBe(`${ORIGIN}/queue`);
    expect(await rolesOf(personId)).toEqual(['APPROVER', 'OPERATOR']);
    expect(await fromProvider(personId)).toMatchObject([{ name: 'APPROVER' }]);
    await signIn(told(['MANAGER']));
    expect(await rolesOf(personId)).toEqual(['MANAGER', 'OPERATOR']);
    await signIn({});
    expect(await rolesOf(personId)).toEqual(['OPERATOR']);
    expect(await fromProvider(personId)).toEqual([]);
    expect(await changes(personId)).toEqual(
      [
        [['OPERATOR'], ['APPROVER', 'OPERATOR']],
        [
          ['APPROVER', 'OPERATOR'],
          ['MANAGER', 'OPERATOR'],
        ],
        [['MANAGER', 'OPERATOR'], ['OPERATOR']],
      ].map(([before, after]) => ({ outcome: 'done', code: null, actor: 'system:login', before, after })),
    );
  });

  it('R-078h are as old as they are held, and new when they come back', async () => {
    const { personId, signIn, told } = await invited([]);
    await signIn(told('MANAGER'));
    const [first] = await fromProvider(personId);
    await signIn(told(['MANAGER']));
    expect(await fromProvider(personId)).toEqual([first]);
    expect(await changes(personId)).toHaveLength(1);
    await signIn(told([]));
    await signIn(told(['MANAGER']));
    expect((await fromProvider(personId))[0]?.since).not.toBe(first?.since);
  });

  it('R-078h are names of ours only, at the place that is configured, and never authorities or tenants', async () => {
    const { personId, signIn } = await invited([]);
    await signIn({ roles: ['ADMIN'], realm_access: { roles: { ADMIN: true } }, authorities: ['money'] });
    await signIn({ realm_access: 'ADMIN' });
    const { rows } = await db
      .pool('owner')
      .query('select roles, authorities, tenant_ids from review.people where person_id = $1', [personId]);
    expect(rows).toEqual([{ roles: [], authorities: [], tenant_ids: ['tenant-north'] }]);
    await expect(
      change(`update review.person_rights set issuer = 'x' where kind = 'TENANT'`),
    ).rejects.toMatchObject({ constraint: 'person_rights_issuer_gives_roles' });
  });

  it('R-078g R-078h leave one active administrator, who still gets in', async () => {
    const { personId, signIn, told } = await invited([]);
    await signIn(told(['ADMIN', 'OPERATOR']));
    expect(await signIn(told(['MANAGER']))).toBe(`${ORIGIN}/queue`);
    expect(await rolesOf(personId)).toEqual(['ADMIN', 'MANAGER']);
    expect((await changes(personId)).map(({ outcome, code }) => code ?? outcome)).toEqual([
      'done',
      'LAST_ADMINISTRATOR',
      'done',
    ]);
    await makePerson(db, { email: 'another@example.test', roles: ['ADMIN'] });
    await signIn(told(['MANAGER']));
    expect(await rolesOf(personId)).toEqual(['MANAGER']);
  });

  it('R-078h fall away once the provider is to give none any more', async () => {
    const { personId, signIn, told } = await invited(['OPERATOR']);
    await signIn(told(['MANAGER']));
    delete process.env['OIDC_ROLE_CLAIM'];
    await signIn(told(['MANAGER']));
    process.env['OIDC_ROLE_CLAIM'] = '/realm_access/roles';
    expect(await rolesOf(personId)).toEqual(['OPERATOR']);
  });

  it.each([
    `insert into review.identities (person_id, issuer, subject) select person_id, 'i', 's' from review.people limit 1`,
    `update review.identities set ended_at = null`,
    `update review.person_rights set issuer = null`,
  ])('R-078h the app may not write past the login: %s', async (sql) => {
    await expect(transaction(db.pool('app'), testContext, (tx) => tx.query(sql))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('AN-19 a subject never becomes another person’s, not even for the owner, and never goes', async () => {
    const { signIn } = await invited([]);
    await signIn({});
    for (const sql of [
      `update review.identities set subject = 'other'`,
      `update review.identities set person_id = gen_random_uuid()`,
    ])
      await expect(change(sql)).rejects.toMatchObject({ code: 'OA002' });
    await expect(change('delete from review.identities')).rejects.toMatchObject({ code: 'OA002' });
  });

  it('AN-05 nobody but the login asks who a subject is', async () => {
    await expect(
      transaction(db.pool('app'), testContext, (tx) => tx.query(`select review.sign_in_by_provider('{}')`)),
    ).rejects.toMatchObject({ code: 'OA003' });
  });
});
