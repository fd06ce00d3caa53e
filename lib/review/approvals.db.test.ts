import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { confirmNotApplied } from './confirm-not-applied';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { requestReissue } from './request-reissue';
import { withdrawRequest } from './withdraw-request';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let approver: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  approver = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const one = async <T>(text: string, ...values: unknown[]) =>
  (await owner().query<T & Record<string, unknown>>(text, values)).rows[0] as T;

const requestState = async (requestId: string) =>
  one<{ state: string; void_reason: string | null; new_execution_id: string | null }>(
    'SELECT state, void_reason, new_execution_id FROM review.approval_requests WHERE request_id = $1',
    requestId,
  );
const carryOut = (requestId: string) => executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');

describe('four eyes', () => {
  it('R-070a FE-01 nobody decides their own request, an approver neither; the attempt is audited', async () => {
    const both = await desk.desk({ roles: ['OPERATOR', 'APPROVER'] });
    const { verdict, requestId } = await doubts.requested(both);
    const attempt = verdict();
    expect(await decideRequest(both, attempt)).toMatchObject({ outcome: 'refused', code: 'SELF_APPROVAL' });
    expect(await requestState(requestId)).toMatchObject({ state: 'PENDING' });
    expect(await desk.audit({ operationId: attempt.operationId })).toMatchObject([
      {
        event: 'reissue.approved',
        outcome: 'refused',
        refusal_code: 'SELF_APPROVAL',
        actor_id: both.actor.personId,
      },
    ]);
  });

  it('R-070a FE-17 the database itself refuses such a row, a changed request and a state without approvals', async () => {
    const { requestId } = await doubts.requested();
    const insert = `INSERT INTO review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, roles, decided_at)
       SELECT request_id, requested_by, requested_by, ledger.new_id(), 'APPROVE', 'I approve my own wish', digest, '{APPROVER}', now()
       FROM review.approval_requests WHERE request_id = $1`;
    await expect(owner().query(insert, [requestId])).rejects.toMatchObject({
      constraint: 'decisions_approver_is_not_requester',
    });
    for (const change of [
      `rationale = 'something else now'`,
      `params = '{"x": 1}'`,
      `state = 'EXECUTED'`,
      `state = 'APPROVED'`,
    ]) {
      await expect(
        owner().query(`UPDATE review.approval_requests SET ${change} WHERE request_id = $1`, [requestId]),
      ).rejects.toMatchObject({ code: 'OO004' });
    }
    await expect(
      db.pool('app').query('INSERT INTO review.approval_decisions DEFAULT VALUES'),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    [{ roles: ['OPERATOR'] }, 'ROLE_MISSING'],
    [{ roles: ['MANAGER', 'ADMIN'] }, 'ROLE_MISSING'],
    [{ roles: ['APPROVER'], authorities: [] }, 'AUTHORITY_MISSING'],
    [{ roles: ['APPROVER'], tenants: ['tenant-south'] }, 'NOT_FOUND'],
  ])('R-074a AZ-15 a new key is not for %j: %s', async (rights, code) => {
    const { verdict, requestId } = await doubts.requested();
    expect(await decideRequest(await desk.desk(rights), verdict())).toMatchObject({
      outcome: 'refused',
      code,
    });
    expect(await requestState(requestId)).toMatchObject({ state: 'PENDING' });
  });

  it('R-070b FE-03 a digest of something else decides nothing', async () => {
    const { verdict } = await doubts.requested();
    expect(await decideRequest(approver, verdict({ digest: '0'.repeat(64) }))).toMatchObject({
      outcome: 'refused',
      code: 'DIGEST_MISMATCH',
    });
  });

  it('R-070b FE-02 when the execution has changed the approval is void and says why', async () => {
    const { id, verdict, requestId } = await doubts.requested();
    await desk.ledger.report('complete', id, { fencingToken: '1', resultId: `R-${id}` });
    expect(await decideRequest(approver, verdict())).toMatchObject({
      outcome: 'refused',
      code: 'REQUEST_VOID',
    });
    expect(await requestState(requestId)).toMatchObject({ state: 'VOID', void_reason: 'EXECUTION_CHANGED' });
  });

  it('R-070c FE-09 after its time a request is expired, by the database’s clock', async () => {
    const { verdict, requestId } = await doubts.requested();
    await db.advanceClock('86401 seconds');
    expect(await decideRequest(approver, verdict())).toMatchObject({
      outcome: 'refused',
      code: 'REQUEST_EXPIRED',
    });
    expect(await requestState(requestId)).toMatchObject({ state: 'EXPIRED' });
  });

  it('R-071b of two verdicts at once one counts and the other is told', async () => {
    const { verdict, requestId } = await doubts.requested();
    const second = await desk.desk({ roles: ['APPROVER'] });
    const answers = await behindLock(
      db,
      [
        `SELECT FROM ledger.executions e JOIN review.approval_requests r USING (execution_id) WHERE r.request_id = $1 FOR UPDATE OF e`,
        [requestId],
      ],
      [() => decideRequest(approver, verdict()), () => decideRequest(second, verdict())],
    );
    expect(answers.map((each) => each.outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find((each) => each.outcome === 'refused')).toMatchObject({ code: 'REQUEST_ENDED' });
    await Promise.all([carryOut(requestId), carryOut(requestId), carryOut(requestId)]);
    const { n } = await one<{ n: number }>(
      `SELECT count(*)::int AS n FROM ledger.executions WHERE reissue_of = (SELECT execution_id FROM review.approval_requests WHERE request_id = $1)`,
      requestId,
    );
    expect(n).toBe(1);
  });
});

describe('carrying a reissue out', () => {
  it('R-071a R-069c no key before approval; then one, tied to the original, which answers superseded', async () => {
    const { id, key, verdict, requestId, exceptionId } = await doubts.requested();
    const reissues = () =>
      one<{ n: number }>('SELECT count(*)::int AS n FROM ledger.executions WHERE reissue_of = $1', id);
    expect(await reissues()).toEqual({ n: 0 });
    expect(await decideRequest(approver, verdict())).toMatchObject({ outcome: 'done' });
    expect(await reissues()).toEqual({ n: 0 });
    expect(await carryOut(requestId)).toMatchObject({ done: 'EXECUTED' });
    const { new_execution_id: newId } = await requestState(requestId);
    const [original, reissue] = [await desk.ledger.row(id), await desk.ledger.row(newId!)];
    expect(original).toMatchObject({ superseded_by: newId });
    expect(reissue).toMatchObject({
      state: 'RECEIVED',
      reissue_of: id,
      fingerprint: original.fingerprint,
      lineage_id: original.lineage_id,
    });
    expect(await desk.ledger.claim(key, { target: { system: 'payment', account: 'main' } })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_SUPERSEDED',
      newKey: reissue.idempotency_key,
    });
    const answer = await desk.ledger.claim(reissue.idempotency_key as string, {
      target: { system: 'payment', account: 'main' },
    });
    expect(answer).toMatchObject({ disposition: 'CLAIMED', execution: { executionId: newId } });
    expect((await desk.audit({ exceptionId })).map((each) => each.event)).toEqual(
      expect.arrayContaining(['reissue.requested', 'reissue.approved', 'reissue.executed']) as string[],
    );
  });

  it('R-072a a second live key in the lineage is refused by the database', async () => {
    const { id } = await desk.unknownPayment();
    await expect(
      owner().query(
        `INSERT INTO ledger.executions (tenant_id, principal_id, operation, idempotency_key, fingerprint, state, state_since, moved_by, lineage_id, created_at, updated_at)
         SELECT tenant_id, principal_id, operation, 'second-' || idempotency_key, fingerprint, 'RECEIVED', now(), 'person', lineage_id, now(), now()
         FROM ledger.executions WHERE execution_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'executions_one_live_key_per_lineage' });
  });

  it('R-070d the last look finds the effect: the reissue is void and no key exists', async () => {
    const { id, key, verdict, requestId } = await doubts.requested();
    await decideRequest(approver, verdict());
    desk.answerItems(desk.payment(key));
    expect(await carryOut(requestId)).toMatchObject({ done: 'ENDED' });
    expect(await requestState(requestId)).toMatchObject({
      state: 'VOID',
      void_reason: 'EFFECT_FOUND',
      new_execution_id: null,
    });
    expect(await desk.ledger.row(id)).toMatchObject({ superseded_by: null, state: 'UNKNOWN' });
  });

  it('R-070d a silent outside system makes it wait, and the execution’s own time ends it', async () => {
    const { verdict, requestId } = await doubts.requested();
    await decideRequest(approver, verdict());
    desk.answer((_request, response) => response.writeHead(503).end());
    expect(await carryOut(requestId)).toMatchObject({ done: 'WAITS' });
    await db.advanceClock('3601 seconds');
    expect(await carryOut(requestId)).toMatchObject({ done: 'ENDED' });
    expect(await requestState(requestId)).toMatchObject({ state: 'EXPIRED' });
  });

  it('R-083 FE-07 an approver who lost the role before it was carried out no longer counts', async () => {
    const passing = await desk.desk({ roles: ['APPROVER'] });
    const { verdict, requestId } = await doubts.requested();
    expect(await decideRequest(passing, verdict())).toMatchObject({ outcome: 'done' });
    await changePerson(db, passing.actor.personId, `roles = '{MANAGER}'`);
    expect(await carryOut(requestId)).toMatchObject({ done: 'ENDED' });
    expect(await requestState(requestId)).toMatchObject({
      state: 'VOID',
      void_reason: 'APPROVERS_NOT_ENTITLED',
    });
  });
});

describe('a second person for what cannot be taken back', () => {
  it('R-067b "not applied" of an irreversible effect waits for another person, and then frees the same key', async () => {
    const second = await desk.desk();
    const { id, form, key } = await doubts.unpaid();
    expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
    expect((await desk.ledger.row(id)).state).toBe('UNKNOWN');
    const { request_id: requestId, digest } = await one<{ request_id: string; digest: string }>(
      'SELECT request_id, digest FROM review.approval_requests WHERE execution_id = $1',
      id,
    );
    const verdict = {
      requestId,
      digest,
      verdict: 'APPROVE',
      rationale: 'Looked as well: nothing there.',
      lookAgain: false,
    };
    expect(await decideRequest(operator, { ...verdict, operationId: randomUUID() })).toMatchObject({
      code: 'SELF_APPROVAL',
    });
    expect(await decideRequest(second, { ...verdict, operationId: randomUUID() })).toMatchObject({
      outcome: 'done',
    });
    expect((await desk.ledger.row(id)).state).toBe('FAILED_RETRYABLE');
    expect(await desk.ledger.claim(key, { target: { system: 'payment', account: 'main' } })).toMatchObject({
      disposition: 'RETRY_SAME_KEY',
    });
  });

  it('R-069b new work beside an effect in doubt needs the original’s fate shown', async () => {
    const { exceptionId } = await desk.unknownPayment();
    const { form } = await desk.seen(operator, exceptionId);
    const newWork = {
      relation: 'NEW_WORK',
      originalFate: 'Nobody knows yet.',
      intakeId: null,
      evidenceId: null,
      lookAgain: false,
    };
    expect(await requestReissue(operator, { ...form, ...newWork })).toMatchObject({
      outcome: 'refused',
      code: 'EVIDENCE_MISSING',
    });
  });

  it('R-084 FE-10 the requester may withdraw, once is enough, and it stays readable; another person may not', async () => {
    const { requestId } = await doubts.requested();
    const withdrawal = { requestId, operationId: randomUUID() };
    expect(await withdrawRequest(approver, { ...withdrawal, operationId: randomUUID() })).toMatchObject({
      code: 'NOT_YOUR_REQUEST',
    });
    expect(await withdrawRequest(operator, withdrawal)).toMatchObject({ outcome: 'done' });
    expect(await withdrawRequest(operator, withdrawal)).toMatchObject({ outcome: 'done' });
    expect(await requestState(requestId)).toMatchObject({ state: 'WITHDRAWN' });
    await expect(
      owner().query('DELETE FROM review.approval_requests WHERE request_id = $1', [requestId]),
    ).rejects.toMatchObject({ code: 'OO001' });
  });
});
