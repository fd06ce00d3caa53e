// Two processes of `npm run api` on one database, as two servers of an installation.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { digestOfToken } from '@/lib/ledger/producer-token';
import type { LookingContext } from '@/lib/review/desk-context';
import { createToken } from '@/lib/review/tokens/create-token';
import { revokeToken } from '@/lib/review/tokens/revoke-token';
import { rotateToken } from '@/lib/review/tokens/rotate-token';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { makeTenants } from '@/lib/testing/people';
import { ROOT, TYPESCRIPT } from './toolchain.mjs';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let addresses: string[];
const children: ChildProcess[] = [];
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await makeTenants(db, 'tenant-north');
  admin = await desk.desk({ roles: ['ADMIN'] });
  addresses = await Promise.all([1, 2].map(startInstance));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await desk.close();
  await db.drop();
});

function startInstance(): Promise<string> {
  const child = spawn(process.execPath, [...TYPESCRIPT, 'lib/commands/api.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...{ DATABASE_URL: db.appUrl, API_PORT: '0', FIELD_HASH_KEY: 'a field hash key of these tests' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [address] = /http:\/\/\S+/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
}

/** What each process answers to the token: 404 is "welcome, no such execution". */
const statuses = (token: string) =>
  Promise.all(
    addresses.map(async (address) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${address}/executions/${randomUUID()}`, { headers })).status;
    }),
  );
const shown = (answer: CommandAnswer): string => {
  if (answer.outcome !== 'done' || answer.shownOnce === undefined) throw new Error(JSON.stringify(answer));
  return answer.shownOnce;
};
const idOf = async (token: string) =>
  (
    await db
      .pool('owner')
      .query<{ id: string }>('select token_id as id from ledger.producer_tokens where digest = $1', [
        digestOfToken(token),
      ])
  ).rows[0]!.id;

it('AZ-14 a token that is issued, replaced, revoked or over is so for the next call to every process', async () => {
  expect(new Set(addresses).size).toBe(2);
  const form = { tenantId: 'tenant-north', principalId: 'robot', operations: null, expiresInDays: 1 };
  const old = shown(await createToken(admin, { ...form, operationId: randomUUID() }));
  expect(await statuses(old)).toEqual([404, 404]);

  const rotation = { tokenId: await idOf(old), overlapHours: 1, expiresInDays: 1, operationId: randomUUID() };
  const next = shown(await rotateToken(admin, rotation));
  expect([await statuses(old), await statuses(next)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
  await db.advanceClock('1 hour 1 second');
  expect([await statuses(old), await statuses(next)]).toEqual([
    [401, 401],
    [404, 404],
  ]);

  expect(await revokeToken(admin, { tokenId: await idOf(next), operationId: randomUUID() })).toMatchObject({
    outcome: 'done',
  });
  expect(await statuses(next)).toEqual([401, 401]);

  const last = shown(await createToken(admin, { ...form, operationId: randomUUID() }));
  expect(await statuses(last)).toEqual([404, 404]);
  await db.advanceClock('1 day 1 second');
  expect(await statuses(last)).toEqual([401, 401]);
});
