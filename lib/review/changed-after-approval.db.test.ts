// FE-02, FE-03: a decision counts for what was shown, and for nothing else.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import type { Json } from '@/lib/testing/ledger-fixture';
import { addManualEvidence } from './add-manual-evidence';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { getRequest } from './get-request';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  approver = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, operator);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const owner = () => db.pool('owner');
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');

async function approved(): Promise<Asked> {
  const asked = await doubts.requested();
  expect(await decideRequest(approver, asked.verdict())).toMatchObject({ outcome: 'done' });
  return asked;
}

const requestRow = async ({ requestId }: Asked): Promise<Json> =>
  (await owner().query<Json>('select * from review.approval_requests where request_id = $1', [requestId]))
    .rows[0]!;

/** As nobody can: past the grants and past the guard that no writer passes. */
async function writePastTheGuard({ requestId }: Asked, set: string): Promise<void> {
  const client = await db.pool('superuser').connect();
  try {
    await client.query('begin');
    await client.query('alter table review.approval_requests disable trigger approval_requests_keep');
    await client.query(`update review.approval_requests set ${set} where request_id = $1`, [requestId]);
    await client.query('alter table review.approval_requests enable always trigger approval_requests_keep');
    await client.query('commit');
  } finally {
    client.release();
  }
}

const keysOf = async ({ id }: Asked): Promise<number> =>
  (await owner().query('select from ledger.executions where reissue_of = $1', [id])).rowCount!;

async function expectVoid(asked: Asked, reason: string): Promise<void> {
  expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'VOID' });
  expect(await requestRow(asked)).toMatchObject({ state: 'VOID', void_reason: reason });
  expect(await keysOf(asked)).toBe(0);
  const voided = (await desk.audit({ exceptionId: asked.exceptionId })).filter(
    ({ event }) => event === 'reissue.voided',
  );
  expect(voided).toMatchObject([{ outcome: 'done', actor_id: 'system:worker', body: { reason } }]);
}

/** What the row of the check names, and how somebody would change it. */
const CHANGES: readonly (readonly [what: string, set: string])[] = [
  ['rationale', `rationale = 'For another reason altogether'`],
  ['target', `target_account = 'other'`],
  ['relation, and with it the new key', `relation = 'NEW_WORK'`],
  ['content of the new key', `fingerprint = 'sha256:' || repeat('0', 64)`],
  ['parameters', `params = params || '{"originalFate": "It was paid."}'`],
  ['evidence', `evidence_id = null`],
  ['version asked about', `execution_version = execution_version + 1`],
  ['steps to pass', `terms = jsonb_set(terms, '{minRationale}', '11')`],
];

const GUARDED: typeof CHANGES = [
  ...CHANGES,
  ['expiry of the decision', `decide_by = decide_by + interval '1 day'`],
  ['expiry of the execution', `execute_by = execute_by + interval '1 day'`],
  ['the key that was made', `new_execution_id = execution_id`],
];

describe('an approved request that was changed', () => {
  it.each(GUARDED)('FE-02 R-070b %s: no writer can, the app least of all', async (_, set) => {
    const asked = await approved();
    const before = await requestRow(asked);
    const text = `update review.approval_requests set ${set} where request_id = $1`;
    await expect(db.pool('app').query(text, [asked.requestId])).rejects.toMatchObject({ code: '42501' });
    await expect(db.pool('worker').query(text, [asked.requestId])).rejects.toMatchObject({ code: '42501' });
    await expect(owner().query(text, [asked.requestId])).rejects.toMatchObject({ code: 'OO004' });
    expect(await requestRow(asked)).toEqual(before);
  });

  it.each(CHANGES)('FE-02 R-070b %s: past every guard, the digest voids it, on record', async (_, set) => {
    const asked = await approved();
    await writePastTheGuard(asked, set);
    const moved = /relation|fingerprint|target|execution_version/.test(set);
    const row = await requestRow(asked);
    await expectVoid(
      asked,
      !moved || row['relation'] === 'NEW_WORK'
        ? 'DIGEST_BROKEN'
        : set.startsWith('execution_version')
          ? 'EXECUTION_CHANGED'
          : 'SUBJECT_CHANGED',
    );
  });

  it.each([
    ['decided', `decide_by = decide_by + interval '30 days'`, '86401 seconds', false],
    ['carried out', `execute_by = execute_by + interval '30 days'`, '3601 seconds', true],
  ])(
    'FE-02 R-070c an expiry that was moved prolongs nothing: too late to be %s',
    async (_, set, later, isApproved) => {
      const asked = isApproved ? await approved() : await doubts.requested();
      await writePastTheGuard(asked, set);
      await db.advanceClock(later);
      if (isApproved)
        expect(await carryOut(asked.requestId)).toMatchObject({ done: 'ENDED', state: 'EXPIRED' });
      else expect(await decideRequest(approver, asked.verdict())).toMatchObject({ code: 'REQUEST_EXPIRED' });
      expect(await requestRow(asked)).toMatchObject({ state: 'EXPIRED' });
      expect(await keysOf(asked)).toBe(0);
    },
  );

  it('FE-02 R-070b the work itself moved on, or another person saw its effect: void, on record', async () => {
    const moved = await approved();
    const { fencing_token: fencingToken } = await desk.ledger.row(moved.id);
    await desk.ledger.report('complete', moved.id, { fencingToken, resultId: `R-${moved.id}` });
    await expectVoid(moved, 'EXECUTION_CHANGED');

    const seen = await approved();
    const { view } = await desk.seen(operator, seen.exceptionId);
    const look = { place: 'Payment console', seen: 'Here it is.', verdict: 'APPLIED', contentAgrees: true };
    expect(
      await addManualEvidence(await desk.desk(), {
        ...look,
        exceptionId: seen.exceptionId,
        operationId: randomUUID(),
        executionVersion: view.execution!.version,
        checkedAt: view.now,
        resultId: `HAND-${seen.key}`,
        targetAccount: 'main',
      }),
    ).toMatchObject({ outcome: 'done' });
    await expectVoid(seen, 'CONTRARY_LOOK');
  });
});

describe('a page that was overtaken', () => {
  it('FE-03 R-070b the record moved in another session: refused with what changed, nothing decided, on record', async () => {
    const asked = await doubts.requested();
    const shown = (await getRequest(approver, asked.requestId))!;
    expect(shown).toMatchObject({ digest: asked.digest, basisChanged: false });
    const { fencing_token: fencingToken } = await desk.ledger.row(asked.id);
    await desk.ledger.report('complete', asked.id, { fencingToken, resultId: `R-${asked.id}` });
    const attempt = asked.verdict({ digest: shown.digest });
    expect(await decideRequest(approver, attempt)).toEqual({
      outcome: 'refused',
      code: 'REQUEST_VOID',
      voidReason: 'EXECUTION_CHANGED',
    });
    // The page that is read next says what it is now, beside what was asked about.
    const now = (await getRequest(approver, asked.requestId))!;
    expect(now).toMatchObject({ state: 'VOID', voidReason: 'EXECUTION_CHANGED', basisChanged: true });
    expect(now.execution).toMatchObject({ state: 'SUCCEEDED', resultId: `R-${asked.id}` });
    expect(now.execution?.version).not.toBe(shown.executionVersion);
    expect(now.verdicts).toEqual([]);
    expect(await desk.audit({ operationId: attempt.operationId })).toMatchObject([
      { event: 'reissue.voided', actor_id: approver.actor.personId, body: { digest: shown.digest } },
      { event: 'reissue.approved', outcome: 'refused', refusal_code: 'REQUEST_VOID' },
    ]);
    expect(await keysOf(asked)).toBe(0);
  });

  it('FE-03 R-070b a digest of another request, of none, or of what was shown before decides nothing', async () => {
    const [one, other] = [await doubts.requested(), await doubts.requested()];
    for (const digest of [other.digest, '0'.repeat(64)]) {
      const attempt = one.verdict({ digest });
      expect(await decideRequest(approver, attempt)).toMatchObject({ code: 'DIGEST_MISMATCH' });
      expect(await desk.audit({ operationId: attempt.operationId })).toMatchObject([
        { event: 'reissue.approved', outcome: 'refused', refusal_code: 'DIGEST_MISMATCH' },
      ]);
    }
    expect(await decideRequest(approver, one.verdict({ digest: undefined }))).toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await requestRow(one)).toMatchObject({ state: 'PENDING' });
  });
});
