import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { verifyChain } from '@/lib/audit/verify-chain';
import { digestOfAll } from '@/lib/testing/audit-failpoints';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { GUIDE, operationPolicyForm, operationPolicyInForce } from '@/lib/testing/operation-policy-forms';
import { testContext } from '@/lib/testing/people';
import { REASON } from '@/lib/testing/people-forms';
import { waitingProposal } from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { proposeOperationPolicy } from './propose-operation-policy';

const CANARY = 'Frau Kim from the corner shop';
const OPERATION = 'pay-kim';
let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

async function whereIs(words: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(await digestOfAll(db))) {
    const { rows } = await db
      .pool('superuser')
      .query(`select from ${name} t where t::text like $1 limit 1`, [`%${words}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

it('AU-18 R-089h R-089g words of a policy go from proposals and from versions that hold no more, never into the chain', async () => {
  const admin = await desk.desk({ roles: ['ADMIN'] });
  const second = await desk.desk({ roles: ['ADMIN'] });
  const change = async (content: object, verdict: 'CONFIRM' | 'REJECT') => {
    const asked = await operationPolicyForm(db, OPERATION, content);
    expect(await proposeOperationPolicy(admin, asked)).toMatchObject({ outcome: 'done' });
    const proposalId = await waitingProposal(db, OPERATION);
    const said = { proposalId, verdict, reason: REASON, operationId: randomUUID() };
    expect(await decidePolicy(second, said)).toMatchObject({ outcome: 'done' });
  };
  const named = {
    guide: { ...GUIDE, ko: { ...GUIDE.ko, whoDecides: CANARY } },
    protectionDocument: CANARY,
    protectionKeyScope: CANARY,
    protectionValidUntil: '2099-01-01T00:00:00.000000Z',
    protectionCheckedBy: CANARY,
    protectionCheckedAt: '2026-01-01T00:00:00.000000Z',
    outcomeCodes: { NO_MONEY: { class: 'FIX_FIRST', condition: CANARY } },
  } as const;
  await change(named, 'CONFIRM');
  await change({ ...named, slaSeconds: 60 }, 'REJECT');
  const erase = () =>
    eraseTexts(
      db.pool('owner'),
      testContext,
      { policy: { tenantId: 'tenant-north', operation: OPERATION } },
      'DSR-17',
    );
  expect(await erase()).toMatchObject({ outcome: 'done' });
  // What holds keeps its words, and so does the proposal that it stands on.
  expect(await operationPolicyInForce(db, OPERATION)).toMatchObject({ content: named });
  expect(await whereIs(CANARY)).toEqual(['ledger.operation_policies', 'review.policy_proposals']);

  const without = { protectionDocument: 'a', protectionKeyScope: 'b', protectionCheckedBy: 'c' };
  await change({ ...named, ...without, guide: GUIDE, outcomeCodes: null, displayFields: ['/x'] }, 'CONFIRM');
  expect(await erase()).toMatchObject({ outcome: 'done' });
  expect(await whereIs(CANARY)).toEqual([]);
  expect(await operationPolicyInForce(db, OPERATION)).toMatchObject({
    version: 2,
    content: { guide: GUIDE },
  });
  const { rows } = await db
    .pool('owner')
    .query(
      `select outcome_codes, guide #>> '{en,purpose}' as purpose from ledger.operation_policies where operation = $1 and version = 1`,
      [OPERATION],
    );
  expect(rows).toEqual([
    { outcome_codes: { NO_MONEY: { class: 'FIX_FIRST' } }, purpose: '(erased upon request)' },
  ]);
  expect(await verifyChain(db.pool('signer'))).not.toMatchObject({ kind: 'broken' });
});
