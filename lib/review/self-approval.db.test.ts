// FE-01: every way on which somebody could give the second word to their own wish, tried by somebody who could give it to others'.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '@/lib/access/sign-in';
import { transaction } from '@/lib/db/transaction';
import { BULK_ACTS } from '@/lib/domain/bulk-acts';
import { ADDRESSES } from '@/lib/ledger/http/addresses';
import { connectorForm, connectorVerdict } from '@/lib/testing/connector-forms';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskCommands, type DeskCommand } from '@/lib/testing/desk-commands';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { fingerprint, NORTH } from '@/lib/testing/ledger-fixture';
import { makePerson, PASSWORD, sessionOf } from '@/lib/testing/people';
import { grantForm, REASON, rightsForm } from '@/lib/testing/people-forms';
import { policyForm, waitingProposal } from '@/lib/testing/policy-forms';
import { actOnMany } from './act-on-many';
import { breakGlass } from './break-glass/break-glass';
import { reviewBreakGlass } from './break-glass/review-break-glass';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { getRequest } from './get-request';
import { changeRights } from './people/change-rights';
import { decideGrant } from './people/decide-grant';
import { invitePerson } from './people/invite-person';
import { decideConnector } from './connectors/decide-connector';
import { proposeConnector } from './connectors/propose-connector';
import { decidePolicy } from './policies/decide-policy';
import { proposePolicy } from './policies/propose-policy';

let db: TestDatabase;
let desk: DeskFixture;
/** Asks, and holds everything that an approver needs. */
let both: LookingContext;
let doubts: DoubtFixture;
let asking: Record<string, DeskCommand>;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  both = await desk.desk({ roles: ['OPERATOR', 'APPROVER'], authorities: ['money', 'break-glass'] });
  doubts = doubtFixture(desk, both);
  asking = await deskCommands(desk, both, await desk.desk({ roles: ['APPROVER'] }));
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const anotherSession = async (ctx: LookingContext): Promise<LookingContext> => ({
  ...ctx,
  context: {
    ...ctx.context,
    sessionId: await sessionOf(db, ctx.actor.personId),
    sourceAddress: '192.0.2.77',
  },
});

/** Nothing was decided, and the try is on record as what it was, by whom. */
async function expectOnRecord(ctx: LookingContext, operationId: string, event: string): Promise<void> {
  expect(await desk.audit({ operationId })).toMatchObject([
    { event, outcome: 'refused', refusal_code: 'SELF_APPROVAL', actor_id: ctx.actor.personId },
  ]);
}

async function asked(operationId: string) {
  const { rows } = await owner().query<{
    request_id: string;
    digest: string;
    verdicts: number;
    state: string;
  }>(
    `select request_id, digest, state, (select count(*)::int from review.approval_decisions d where d.request_id = r.request_id) as verdicts
     from review.approval_requests r where operation_id = $1`,
    [operationId],
  );
  return rows[0]!;
}

describe('the verdict on a request', () => {
  it.each([
    ['request-reissue', 'reissue.approved'],
    ['confirm-not-applied', 'decision.not_applied_confirmed'],
    ['request-effect-settlement', 'decision.effect_settled'],
  ])('FE-01 R-070a of %s, in the same and in a second session', async (name, event) => {
    const { command, input } = await asking[name]!.prepare();
    expect(await command(both, input)).toMatchObject({ outcome: 'requested' });
    const { request_id: requestId, digest } = await asked(input.operationId);
    for (const session of [both, await anotherSession(both)]) {
      const verdict = { requestId, digest, verdict: 'APPROVE', rationale: REASON, lookAgain: false };
      const attempt = { ...verdict, operationId: randomUUID() };
      expect(await decideRequest(session, attempt)).toMatchObject({
        outcome: 'refused',
        code: 'SELF_APPROVAL',
      });
      await expectOnRecord(both, attempt.operationId, event);
    }
    expect(await asked(input.operationId)).toMatchObject({ state: 'PENDING', verdicts: 0 });
  });

  it('FE-01 R-053d no act on many approves, and none takes a request along', async () => {
    const { requestId, verdict, exceptionId } = await doubts.requested();
    const { form } = await desk.seen(both, exceptionId);
    const row = { exceptionId, exceptionVersion: form.exceptionVersion, operationId: form.operationId };
    const batch = { operationId: randomUUID(), only: [row.operationId], rows: [row] };
    for (const act of ['approve', 'decide', 'decide-request'])
      expect(await actOnMany(both, { ...batch, act })).toMatchObject({ code: 'INVALID_INPUT' });
    for (const act of BULK_ACTS)
      expect(await actOnMany(both, { ...batch, act, requestId, verdict: 'APPROVE' })).toMatchObject({
        code: 'INVALID_INPUT',
      });
    expect(await decideRequest(both, [verdict(), verdict()])).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await desk.audit({ operationId: batch.operationId })).toEqual([]);
    const { rows } = await owner().query('select state from review.approval_requests where request_id = $1', [
      requestId,
    ]);
    expect(rows).toEqual([{ state: 'PENDING' }]);
  });

  it('FE-01 AZ-13 a producer’s API has no call for it, and naming the request as its approval approves nothing', async () => {
    const { requestId } = await doubts.requested();
    expect(
      Object.values(ADDRESSES).filter(({ path }) => /approv|request|decision|verdict/.test(path)),
    ).toEqual([]);
    const { rows: claims } = await db
      .pool('app')
      .query<{ answer: { code: string | null } }>(`select ledger.claim_as($1, $2) as answer`, [
        NORTH,
        {
          operation: 'create-payment',
          key: randomUUID(),
          fingerprint: fingerprint('content'),
          approvalRef: { id: requestId },
        },
      ]);
    expect(claims[0]!.answer.code).toBeNull();
    const { rows } = await owner().query('select state from review.approval_requests where request_id = $1', [
      requestId,
    ]);
    expect(rows).toEqual([{ state: 'PENDING' }]);
  });
});

describe('by SQL as the app', () => {
  const decideAs = (personId: string, sessionId: string | undefined, input: unknown) =>
    transaction(
      db.pool('app'),
      {
        ...both.context,
        actor: { kind: 'person', id: personId },
        ...(sessionId === undefined ? {} : { sessionId }),
      },
      async (tx) =>
        (
          await tx.query<{ answer: unknown }>('select review.decide_request($1::jsonb) as answer', [
            JSON.stringify(input),
          ])
        ).rows[0]!.answer,
    );

  it('FE-01 FE-17 the function refuses it, another’s name in one’s own session too, and the table takes no row', async () => {
    const approver = await desk.desk({ roles: ['APPROVER'] });
    const { verdict, requestId } = await doubts.requested();
    const attempt = verdict();
    const { sessionId } = both.context;
    expect(await decideAs(both.actor.personId, sessionId, attempt)).toMatchObject({ code: 'SELF_APPROVAL' });
    await expectOnRecord(both, attempt.operationId, 'reissue.approved');
    await expect(decideAs(approver.actor.personId, sessionId, verdict())).rejects.toMatchObject({
      code: 'OA015',
    });
    const insert = (approverId: string) =>
      `insert into review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, roles, decided_at)
       select request_id, ${approverId}, requested_by, ledger.new_id(), 'APPROVE', 'I approve my own wish', digest, '{APPROVER}', ledger.clock()
       from review.approval_requests where request_id = '${requestId}'`;
    await expect(db.pool('app').query(insert('requested_by'))).rejects.toMatchObject({ code: '42501' });
    // Nor does it take one from the owner of the tables, whoever is named as the requester.
    await expect(owner().query(insert('requested_by'))).rejects.toMatchObject({
      constraint: 'decisions_approver_is_not_requester',
    });
    await expect(
      owner().query(
        insert('requested_by').replace('requested_by, ledger', `'${approver.actor.personId}', ledger`),
      ),
    ).rejects.toMatchObject({ code: '23503' });
  });
});

describe('the other second words', () => {
  it('FE-01 R-082e whoever asked, or broke the glass, does not review it, in whatever session', async () => {
    const user = await desk.desk({ roles: ['OPERATOR', 'APPROVER'], authorities: ['money', 'break-glass'] });
    const [first, second] = [await doubts.requested(), await doubts.requested()];
    const reason = 'The customer stands at the counter and nobody answers.';
    const use = ({ requestId, digest }: typeof first) => ({
      requestId,
      digest,
      reason,
      operationId: randomUUID(),
    });
    expect(await breakGlass(user, use(first))).toMatchObject({ outcome: 'done' });
    expect(await breakGlass(both, use(second))).toMatchObject({ outcome: 'done' });
    for (const [who, { requestId }] of [
      [both, first],
      [user, first],
      [await anotherSession(both), second],
    ] as const) {
      const attempt = { requestId, finding: 'JUSTIFIED', rationale: REASON, operationId: randomUUID() };
      expect(await reviewBreakGlass(who, attempt)).toMatchObject({ code: 'SELF_APPROVAL' });
      await expectOnRecord(who, attempt.operationId, 'break_glass.reviewed');
      expect((await getRequest(who, requestId))!.breakGlass.reviewRefusal).toBe('SELF_APPROVAL');
    }
  });

  it('FE-01 R-081c R-063o R-078f an administrator is not the second one for a policy, a connector or rights', async () => {
    const admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    const sessions = [admin, await anotherSession(admin)];
    const operation = `pay-${randomUUID()}`;
    expect(await proposePolicy(admin, await policyForm(db, { minRationale: 20 }, operation))).toMatchObject({
      outcome: 'done',
    });
    const proposalId = await waitingProposal(db, operation);
    const connectorId = `crm-${randomUUID()}`;
    expect(await proposeConnector(admin, await connectorForm(db, connectorId))).toMatchObject({
      outcome: 'done',
    });
    const { personId } = (await desk.desk()).actor;
    const grant = await rightsForm(db, personId, { roles: ['OPERATOR', 'APPROVER'] });
    expect(await changeRights(admin, grant)).toMatchObject({ outcome: 'done' });
    for (const session of sessions) {
      const change = { proposalId, verdict: 'CONFIRM', reason: REASON, operationId: randomUUID() };
      expect(await decidePolicy(session, change)).toMatchObject({ code: 'SELF_APPROVAL' });
      await expectOnRecord(admin, change.operationId, 'policy.changed');
      const word = await connectorVerdict(db, connectorId);
      expect(await decideConnector(session, word)).toMatchObject({ code: 'SELF_APPROVAL' });
      await expectOnRecord(admin, word.operationId, 'connector.changed');
      const confirmation = await grantForm(db, personId, 'CONFIRM');
      expect(await decideGrant(session, confirmation)).toMatchObject({ code: 'SELF_APPROVAL' });
      await expectOnRecord(admin, confirmation.operationId, 'people.grant_confirmed');
    }
  });
});

describe('a second account', () => {
  it('FE-01 AN-19 one address is one person, however it is spelled: no second account, and the first one refuses itself', async () => {
    const email = `twin-${randomUUID()}@demo.local`;
    const rights = { roles: ['OPERATOR', 'APPROVER'], authorities: ['money'], tenantIds: ['tenant-north'] };
    const personId = await makePerson(db, { email, ...rights } as never);
    const admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    const spellings = [
      email.toUpperCase(),
      ` ${email}.`,
      email.replace('@', '＠').replace('twin', 'ｔｗｉｎ'),
    ];
    for (const spelling of spellings) {
      const invitation = {
        ...rights,
        email: spelling,
        displayName: 'Second',
        reason: REASON,
        operationId: randomUUID(),
      };
      expect(await invitePerson(admin, invitation), spelling).toMatchObject({ code: 'EMAIL_TAKEN' });
      const origin = { requestId: 'req', sourceAddress: '192.0.2.8', userAgent: null, previousSecret: null };
      expect(await signIn(db.pool('app'), { email: spelling, password: PASSWORD }, origin)).toMatchObject({
        kind: 'signed-in',
        personId,
      });
    }
    const { rows } = await owner().query('select person_id from review.people where email_canonical = $1', [
      email,
    ]);
    expect(rows).toEqual([{ person_id: personId }]);
  });
});
