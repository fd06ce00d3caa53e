import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  ledgerFixture,
  NORTH,
  OTHER_NORTH,
  SOUTH,
  type Json,
  type LedgerFixture,
} from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
});
afterAll(() => db.drop());

it.each<[string, { key?: string; operation?: string; principal?: string }]>([
  ['another key', { key: randomUUID() }],
  ['another operation', { operation: 'create-refund' }],
  ['another principal of the tenant', { principal: OTHER_NORTH }],
  ['a principal of another tenant', { principal: SOUTH }],
])('R-007 an equal fingerprint under %s neither replays, merges nor reveals', async (_name, change) => {
  const scope = { key: randomUUID(), operation: 'create-payment', principal: NORTH, ...change };
  const first = scope.key === change.key ? randomUUID() : scope.key;
  const secret = { requestId: `secret-${randomUUID()}`, owner: `secret-${randomUUID()}` };
  const { id, token } = await ledger.started(first, secret);
  const answers: Json[] = [];
  const arrive = async (key: string) =>
    answers.push(await ledger.claim(key, { operation: scope.operation }, scope.principal));

  await arrive(scope.key);
  await ledger.report('complete', id, {
    ...{ fencingToken: token, resultId: `secret-${id}`, resultUrl: `https://bank.example/secret-${id}` },
    response: { status: 201, headers: {}, bodyText: '"secret"' },
  });
  const { rows } = await db
    .pool('owner')
    .query<{ key: string; execution_id: string }>(
      'SELECT idempotency_key AS key, execution_id FROM ledger.executions WHERE principal_id = $1 AND operation = $2 AND idempotency_key = $3',
      [scope.principal, scope.operation, scope.key],
    );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.execution_id).not.toBe(id);
  await ledger.report(
    'complete',
    rows[0]!.execution_id,
    { fencingToken: '1', resultId: `own-${id}` },
    scope.principal,
  );
  await arrive(scope.key);

  expect(answers.map((answer) => answer['disposition'])).toEqual(['CLAIMED', 'RESULT_REUSED']);
  expect(answers[1]).toMatchObject({ execution: { resultId: `own-${id}` } });
  expect(JSON.stringify(answers)).not.toContain('secret');
  expect(await ledger.exceptions(id)).toEqual([]);
});
