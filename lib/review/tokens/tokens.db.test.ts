import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pino from 'pino';
import { makePool } from '@/lib/db/pool';
import { listen } from '@/lib/ledger/http/listen';
import { createProducerApi } from '@/lib/ledger/http/producer-api';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { LookingContext } from '@/lib/review/desk-context';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makeTenants } from '@/lib/testing/people';
import { createToken } from './create-token';
import { listTokens } from './list-tokens';
import { revokeToken } from './revoke-token';
import { rotateToken } from './rotate-token';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
/** Two instances of the API, each with its own pool, as two servers have. */
let instances: { port: number; stop: () => Promise<void> }[];
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, 'tenant-north', 'tenant-south');
  admin = await desk.desk({ roles: ['ADMIN'] });
  instances = await Promise.all([1, 2].map(startInstance));
});
afterAll(async () => {
  for (const instance of instances) await instance.stop();
  await desk.close();
  await db.drop();
});

async function startInstance() {
  const pool = makePool({ connectionString: db.appUrl, name: 'producers', max: 3 });
  const secret = new TextEncoder().encode('field hash key of the tests');
  const api = createProducerApi({
    pool: () => pool,
    fieldHashKey: () => secret,
    log: pino({ level: 'silent' }),
  });
  const server = await listen(api, { host: '127.0.0.1', port: 0 });
  return {
    port: server.port,
    stop: async () => {
      await server.close();
      await pool.end();
    },
  };
}

/** What each instance answers to the token: 404 is "welcome, no such execution". */
const statuses = (token: string) =>
  Promise.all(
    instances.map(async ({ port }) => {
      const url = `http://127.0.0.1:${port}/api/v1/executions/${randomUUID()}`;
      return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
    }),
  );

const shown = (answer: CommandAnswer): string => {
  if (answer.outcome !== 'done' || answer.shownOnce === undefined) throw new Error(JSON.stringify(answer));
  return answer.shownOnce;
};

const newToken = (change: object = {}) => ({
  tenantId: 'tenant-north',
  principalId: `robot-${randomUUID()}`,
  operations: null,
  expiresInDays: null,
  operationId: randomUUID(),
  ...change,
});

async function rowOf(token: string) {
  const { rows } = await db
    .pool('owner')
    .query<Record<string, unknown> & { token_id: string }>(
      'select * from ledger.producer_tokens where digest = sha256(convert_to($1, $2))',
      [token, 'utf8'],
    );
  return rows[0]!;
}

describe('producer tokens', () => {
  it('AZ-14 are shown once; the database has a digest and a prefix, the audit the prefix', async () => {
    const input = newToken();
    const token = shown(await createToken(admin, input));
    expect(await statuses(token)).toEqual([404, 404]);
    expect(await createToken(admin, input)).toEqual({ outcome: 'done', repeated: true });
    const secretPart = token.slice('oo_live_1234'.length);
    const row = await rowOf(token);
    expect(row['prefix']).toBe(token.slice(0, 'oo_live_1234'.length));
    const events = await desk.audit({ operationId: input.operationId });
    expect(events).toMatchObject([{ event: 'token.created', outcome: 'done' }]);
    expect(JSON.stringify([row, events])).not.toContain(secretPart);
    expect(JSON.stringify(events)).not.toContain((row['digest'] as Buffer).toString('hex'));
  });

  it('AZ-14 a revoked one is refused by the very next call on every instance', async () => {
    const token = shown(await createToken(admin, newToken()));
    expect(await statuses(token)).toEqual([404, 404]);
    const { token_id: tokenId } = await rowOf(token);
    expect(await revokeToken(admin, { tokenId, operationId: randomUUID() })).toMatchObject({
      outcome: 'done',
    });
    expect(await statuses(token)).toEqual([401, 401]);
    const again = { tokenId, operationId: randomUUID() };
    expect(await revokeToken(admin, again)).toMatchObject({ code: 'TOKEN_ENDED' });
  });

  it('AZ-14 a replaced one works beside the new one until the chosen end, once', async () => {
    const old = shown(
      await createToken(admin, newToken({ operations: ['refund.create'], expiresInDays: 90 })),
    );
    const { token_id: tokenId } = await rowOf(old);
    const form = { tokenId, overlapHours: 2, expiresInDays: 30 };
    const token = shown(await rotateToken(admin, { ...form, operationId: randomUUID() }));
    expect(await statuses(old)).toEqual([404, 404]);
    expect(await statuses(token)).toEqual([404, 404]);
    expect(await rowOf(token)).toMatchObject({ operations: ['refund.create'], replaces: tokenId });
    expect(await rotateToken(admin, { ...form, operationId: randomUUID() })).toMatchObject({
      code: 'TOKEN_REPLACED_ALREADY',
    });
    await db.advanceClock('2 hours 1 second');
    expect(await statuses(old)).toEqual([401, 401]);
    expect(await statuses(token)).toEqual([404, 404]);
    await db.advanceClock('30 days');
    expect(await statuses(token)).toEqual([401, 401]);
  });

  it('AZ-14 a token only ever ends sooner, whoever writes', async () => {
    const token = shown(await createToken(admin, newToken({ expiresInDays: 1 })));
    const { token_id: tokenId } = await rowOf(token);
    await revokeToken(admin, { tokenId, operationId: randomUUID() });
    for (const set of [
      `revoked_at = null`,
      `expires_at = null`,
      `principal_id = 'other'`,
      `digest = sha256('x')`,
    ])
      await expect(
        db.pool('owner').query(`update ledger.producer_tokens set ${set} where token_id = $1`, [tokenId]),
      ).rejects.toMatchObject({ code: 'OA002' });
  });

  it('AZ-13 R-098a are an administrator’s, and of the administrator’s own tenants', async () => {
    const operator = await desk.desk({ roles: ['OPERATOR', 'APPROVER', 'MANAGER'] });
    expect(await createToken(operator, newToken())).toMatchObject({ code: 'ROLE_MISSING' });
    expect(await createToken(admin, newToken({ tenantId: 'tenant-south' }))).toMatchObject({
      code: 'TENANT_NOT_GRANTED',
    });
    const far = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
    const principalId = `robot-${randomUUID()}`;
    const token = shown(await createToken(far, newToken({ tenantId: 'tenant-south', principalId })));
    const { token_id: tokenId } = await rowOf(token);
    expect(await createToken(admin, newToken({ principalId }))).toMatchObject({ code: 'PRINCIPAL_UNUSABLE' });
    expect(await revokeToken(admin, { tokenId, operationId: randomUUID() })).toMatchObject({
      code: 'NOT_FOUND',
    });
    const rotation = { tokenId, overlapHours: 0, expiresInDays: null, operationId: randomUUID() };
    expect(await rotateToken(admin, rotation)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await statuses(token)).toEqual([404, 404]);
    const page = await listTokens(
      { actor: admin.actor, db: db.pool('app') },
      { states: [], cursor: null, size: 200 },
    );
    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page.rows.length).toBeGreaterThan(0);
    expect(page.rows.every((row) => row.tenantId === 'tenant-north')).toBe(true);
    expect(
      await listTokens({ actor: operator.actor, db: db.pool('app') }, { states: [], cursor: null, size: 5 }),
    ).toEqual({ kind: 'forbidden' });
  });
});
