// Approvals in processes of their own, while the people who give them are demoted and the policy becomes stricter.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { REASON, rightsForm } from '@/lib/testing/people-forms';
import { installPolicy, policyContent, policyForm, step, waitingProposal } from '@/lib/testing/policy-forms';
import { startProgram, type Program } from '@/lib/testing/program';
import type { DeskAct } from '@/lib/testing/programs/desk-acts';
import { confirmNotApplied } from './confirm-not-applied';
import type { DeskContext, LookingContext } from './desk-context';
import { proposePolicy } from './policies/propose-policy';

const ROUNDS = 25;

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let people: Record<'first' | 'second' | 'demoting' | 'proposing' | 'confirming', LookingContext>;
let processes: Program[];
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  doubts = doubtFixture(desk, operator);
  const admin = () => desk.desk({ roles: ['ADMIN', 'APPROVER'] });
  people = {
    first: await desk.desk({ roles: ['APPROVER'] }),
    // Who approves also acts on people and policies: that is how two orders would meet.
    second: await admin(),
    demoting: await admin(),
    proposing: await admin(),
    confirming: await admin(),
  };
  processes = Array.from({ length: 5 }, () => startProgram('desk-acts', { url: db.appUrl }));
  await Promise.all(processes.map((each) => each.reaches('ready')));
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await desk.close();
  await db.drop();
});

const owner = () => db.pool('owner');
const confirmations = (count: number) => ({
  steps: [step(), step({ kinds: ['CONFIRM_NOT_APPLIED'], role: null, count })],
});

/**
 * One process each; what they were told. All at once, or `against` once the first of the `verdicts` was given: which of them
 * comes first is the machine's choice, and on a slow one that choice was always the same.
 */
async function race(
  verdicts: readonly DeskAct[],
  against: readonly DeskAct[],
  atOnce: boolean,
): Promise<object[]> {
  const given = verdicts.map((act, n) => release(n, act));
  if (!atOnce) await Promise.any(given);
  const taken = against.map((act, n) => release(verdicts.length + n, act));
  return Promise.all([...given, ...taken]);
}

async function release(n: number, act: DeskAct): Promise<object> {
  processes[n]!.go(act);
  return (await processes[n]!.reaches('done')).answer as object;
}

/** A confirmation that takes two, and the verdict that any of them may send. */
async function asked() {
  const { id, form } = await doubts.unpaid();
  expect(await confirmNotApplied(operator, form)).toMatchObject({ outcome: 'requested' });
  const { rows } = await owner().query<{ request_id: string; digest: string }>(
    'select request_id, digest from review.approval_requests where execution_id = $1',
    [id],
  );
  const { request_id: requestId, digest } = rows[0]!;
  const verdict = (by: DeskContext): DeskAct => ({
    context: by.context,
    name: 'decide_request',
    input: {
      ...{ requestId, digest, operationId: randomUUID(), verdict: 'APPROVE' },
      rationale: 'Nothing arrived; the customer waits.',
    },
  });
  return { requestId, verdict };
}

/** The numbers of what became of a round; null for what did not happen. */
async function numbers(requestId: string, demotedId: string, from: string) {
  const { rows } = await owner().query<Record<'executed' | 'demoted' | 'stricter', number | null>>(
    `select max(number) filter (where event = 'decision.not_applied_confirmed' and approval_request_id = $1
         and exists (select from review.approval_requests r where r.request_id = $1 and r.state = 'EXECUTED'))::int as executed,
       max(number) filter (where event = 'people.rights_changed' and body::jsonb->>'personId' = $2)::int as demoted,
       max(number) filter (where event = 'policy.changed')::int as stricter
     from review.audit_events where number > $3 and outcome = 'done'`,
    [requestId, demotedId, from],
  );
  return rows[0]!;
}

it(`FE-07 R-078n R-081n five processes approve, demote and change the policy in ${ROUNDS} rounds: nothing is carried out with a right or a policy that had gone, and nobody waits in a circle`, async () => {
  let carriedOut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await changePerson(db, people.first.actor.personId, `roles = '{APPROVER}', authorities = '{money}'`);
    await installPolicy(db, confirmations(2));
    const { requestId, verdict } = await asked();
    const wish = await policyForm(db, { ...policyContent(confirmations(3)) });
    expect(await proposePolicy(people.proposing, wish)).toMatchObject({ outcome: 'done' });
    const demotion = await rightsForm(db, people.first.actor.personId, { roles: [], authorities: [] });
    const proposalId = await waitingProposal(db);
    const { rows } = await owner().query<{ head: string }>(
      'select max(number)::text as head from review.audit_events',
    );
    const answers = await race(
      [verdict(people.first), verdict(people.second), verdict(people.demoting)],
      [
        { context: people.demoting.context, name: 'change_rights', input: demotion },
        {
          context: people.confirming.context,
          name: 'decide_policy',
          input: { proposalId, verdict: 'CONFIRM', reason: REASON, operationId: randomUUID() },
        },
      ],
      round % 2 === 0,
    );
    expect(answers.filter((each) => 'sqlstate' in each)).toEqual([]);
    const { executed, demoted, stricter } = await numbers(
      requestId,
      people.first.actor.personId,
      rows[0]!.head,
    );
    const { rows: verdicts } = await owner().query<{ approver_id: string }>(
      `select approver_id from review.approval_decisions where request_id = $1`,
      [requestId],
    );
    if (executed === null) continue;
    carriedOut += 1;
    const others = verdicts.filter((each) => each.approver_id !== people.first.actor.personId).length;
    if (others < 2) expect(demoted === null || executed < demoted).toBe(true);
    if (verdicts.length < 3) expect(stricter === null || executed < stricter).toBe(true);
  }
  // Else the rounds have shown nothing.
  expect(carriedOut).toBeGreaterThan(0);
}, 180_000);
