import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { fingerprint } from '@/lib/testing/ledger-fixture';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { requestReissue } from './request-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const own = async (text: string, values: unknown[]) =>
  (await db.pool('owner').query<Record<string, string>>(text, values)).rows[0];

it('R-006f R-071a a correction is claimed with the content that was approved, also when the policy has changed since it came', async () => {
  const operation = 'corrected';
  await desk.ledger.policy(operation, {});
  const key = randomUUID();
  const corrected = fingerprint('corrected, as policy 1 reads it');
  const first = await desk.ledger.claim(key, { operation, policyVersion: 1 });
  const { executionId: id } = first.execution!;
  await desk.ledger.report('effect_started', id, { fencingToken: '1' });
  await desk.ledger.report('complete', id, { fencingToken: '1', resultId: `R-${id}` });
  await desk.ledger.claim(key, { operation, fingerprint: corrected, policyVersion: 1 });
  await own('UPDATE ledger.operation_policies SET retired_at = now() WHERE operation = $1', [operation]);
  await own(
    `INSERT INTO ledger.operation_policies (tenant_id, operation, version, created_by, exclude_fields)
     VALUES ('tenant-north', $1, 2, 'system:test', '{/note}')`,
    [operation],
  );

  const { form } = await desk.seen(operator, await desk.exceptionOf(id, 'CONTENT_CONFLICT'));
  const intake = await own(
    `SELECT intake_id FROM ledger.intakes WHERE execution_id = $1 AND disposition = 'CONTENT_CONFLICT'`,
    [id],
  );
  const asked = {
    ...form,
    relation: 'CORRECTION',
    intakeId: intake!['intake_id'],
    originalFate: 'refunded by hand',
    evidenceId: null,
    lookAgain: false,
  };
  expect(await requestReissue(operator, asked)).toMatchObject({ outcome: 'requested' });
  const request = await own(
    'SELECT request_id, digest FROM review.approval_requests WHERE execution_id = $1',
    [id],
  );
  const { request_id: requestId, digest } = request!;
  const verdict = { requestId, digest, operationId: randomUUID(), verdict: 'APPROVE', rationale: RATIONALE };
  expect(await decideRequest(approver, { ...verdict, lookAgain: false })).toMatchObject({ outcome: 'done' });
  await executeReissue(db.pool('worker'), desk.asking, { requestId: requestId! }, 'job');

  const reissue = await own('SELECT idempotency_key FROM ledger.executions WHERE reissue_of = $1', [id]);
  const claim = {
    operation,
    fingerprint: fingerprint('corrected, as policy 2 reads it'),
    policyVersion: 2,
    fingerprints: { 1: corrected },
  };
  expect(await desk.ledger.claim(reissue!['idempotency_key']!, claim)).toMatchObject({
    disposition: 'CLAIMED',
  });
});
