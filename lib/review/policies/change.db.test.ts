import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { policyDifference } from '@/lib/domain/approval-policy';
import type { LookingContext } from '@/lib/review/desk-context';
import { behindLock } from '@/lib/testing/behind-lock';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor, type Json } from '@/lib/testing/ledger-fixture';
import { sessionOf } from '@/lib/testing/people';
import {
  installPolicy,
  policyContent,
  policyForm,
  policyVerdict,
  policyVersion,
  step,
  waitingProposal,
} from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { proposePolicy } from './propose-policy';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
let operation: string;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  admin = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  second = await desk.desk({ roles: ['ADMIN'], authorities: [] });
  for (let n = 0; n < 2; n += 1) await desk.desk({ roles: ['APPROVER'] });
});
beforeEach(() => {
  operation = `pay-${randomUUID()}`;
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const TWO = policyContent({ steps: [step({ count: 2 })] });
const form = (change: Json = {}) => policyForm(db, { ...TWO, ...change }, operation);
const verdict = (change: Json = {}) => policyVerdict(db, operation, change);

describe('two persons', () => {
  it('R-081c FE-11 one administrator asks, another confirms; nothing holds in between, and both are on record', async () => {
    const asked = await form();
    expect(await proposePolicy(admin, asked)).toEqual({ outcome: 'done', repeated: false });
    expect(await proposePolicy(admin, asked)).toEqual({ outcome: 'done', repeated: true });
    expect(await policyVersion(db, operation)).toBe(0);
    expect(await decidePolicy(admin, await verdict())).toMatchObject({ code: 'SELF_APPROVAL' });
    const said = await verdict();
    expect(await decidePolicy(second, said)).toMatchObject({ outcome: 'done' });
    expect(await decidePolicy(second, said)).toEqual({ outcome: 'done', repeated: true });
    expect(await policyVersion(db, operation)).toBe(1);
    expect(await desk.audit({ operationId: asked.operationId })).toMatchObject([
      { event: 'policy.change_requested', outcome: 'done', actor_id: admin.actor.personId },
    ]);
    expect(await desk.audit({ operationId: said.operationId })).toMatchObject([
      {
        event: 'policy.changed',
        actor_id: second.actor.personId,
        body: { requestedBy: admin.actor.personId, before: { steps: [{}, {}] }, after: { steps: TWO.steps } },
      },
    ]);
  });

  it('R-081c FE-11 removing a policy and giving it back take two as well', async () => {
    await installPolicy(db, TWO, operation);
    await proposePolicy(admin, await form({ removes: true, steps: [] }));
    expect(await decidePolicy(second, await verdict())).toMatchObject({ outcome: 'done' });
    const { rows } = await db
      .pool('owner')
      .query(`select (review.approval_policy_for('tenant-north', $1)).version`, [operation]);
    expect(rows).toEqual([{ version: null }]);
    await proposePolicy(second, await form());
    expect(await decidePolicy(admin, await verdict())).toMatchObject({ outcome: 'done' });
    expect(await policyVersion(db, operation)).toBe(3);
  });

  it('R-081c FE-11 the database takes a person’s version only as it was confirmed, by somebody else, now', async () => {
    await proposePolicy(admin, await form());
    const proposalId = await waitingProposal(db, operation);
    const write = (set: string, steps = TWO.steps) =>
      asActor(db.pool('owner'), { kind: 'person', id: second.actor.personId }, async (client) => {
        await client.query(`select set_config('onceover.session_id', $1, true)`, [second.context.sessionId]);
        if (set !== '')
          await client.query(`update review.policy_proposals set ${set} where proposal_id = $1`, [
            proposalId,
          ]);
        await client.query(
          `insert into review.approval_policies (tenant_id, operation, version, steps, proposal_id) values ('tenant-north', $1, 1, $2, $3)`,
          [operation, JSON.stringify(steps), proposalId],
        );
      });
    await expect(write('')).rejects.toMatchObject({ code: 'OA014' });
    await expect(write(`state = 'CONFIRMED', decided_by = requested_by`)).rejects.toMatchObject({
      constraint: 'policy_proposals_two_administrators',
    });
    await expect(write(`content = '{}'`)).rejects.toMatchObject({ code: 'OA002' });
    const confirmed = `state = 'CONFIRMED', decided_by = '${second.actor.personId}'`;
    await expect(write(confirmed, policyContent().steps as never)).rejects.toMatchObject({ code: 'OA014' });
    await write(confirmed);
    const owner = db.pool('owner');
    for (const gone of ['delete from', 'update'])
      await expect(
        owner.query(`${gone} review.approval_policies ${gone === 'update' ? 'set min_rationale = 20' : ''}`),
      ).rejects.toMatchObject({ code: 'OA002' });
    await expect(
      db.pool('app').query('insert into review.approval_policies default values'),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('R-081c R-078d the second word takes a password shown within 15 minutes', async () => {
    await proposePolicy(admin, await form());
    const sessionId = await sessionOf(db, second.actor.personId, '2020-01-01T00:00:00Z');
    const stale = { ...second, context: { ...second.context, sessionId } };
    expect(await decidePolicy(stale, await verdict())).toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await decidePolicy(stale, await verdict({ verdict: 'REJECT' }))).toMatchObject({
      outcome: 'done',
    });
    expect(await policyVersion(db, operation)).toBe(0);
  });

  it('R-081c a first word counts no longer than its giver is an administrator, and the own one can be taken back', async () => {
    const passing = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    await proposePolicy(passing, await form());
    await changePerson(db, passing.actor.personId, `roles = '{OPERATOR}'`);
    expect(await decidePolicy(second, await verdict())).toMatchObject({ code: 'REQUESTER_NOT_ENTITLED' });
    await decidePolicy(second, await verdict({ verdict: 'REJECT' }));
    await proposePolicy(admin, await form());
    const own = await verdict({ verdict: 'REJECT' });
    expect(await decidePolicy(admin, own)).toMatchObject({ outcome: 'done' });
    expect(await desk.audit({ operationId: own.operationId })).toMatchObject([
      { event: 'policy.change_ended' },
    ]);
    const { rows } = await db
      .pool('owner')
      .query('select state from review.policy_proposals where operation = $1 order by requested_at', [
        operation,
      ]);
    expect(rows).toEqual([{ state: 'REJECTED' }, { state: 'WITHDRAWN' }]);
  });
});

describe('from one version', () => {
  it('R-081d LC-18 who asks from an older version is refused and told the difference; nothing is overwritten', async () => {
    const [mine, theirs] = [await form(), await form({ minRationale: 40 })];
    await proposePolicy(admin, mine);
    // Beside a change that waits: what waits is told.
    const beside = await proposePolicy(second, theirs);
    expect(beside).toMatchObject({ outcome: 'refused', code: 'PROPOSAL_IN_FLIGHT', policy: TWO });
    await decidePolicy(second, await verdict());
    const late = await proposePolicy(second, { ...theirs, operationId: randomUUID() });
    expect(late).toMatchObject({ outcome: 'refused', code: 'CHANGED_SINCE_SEEN', policy: TWO });
    if (late.outcome !== 'refused' || late.policy === undefined) throw new Error('nothing told');
    expect(policyDifference(late.policy, { ...TWO, minRationale: 40 })).toEqual([
      { what: 'minRationale', from: 10, to: 40 },
    ]);
    expect(await policyVersion(db, operation)).toBe(1);
  });

  it('R-081d LC-18 of two who ask at the same moment one is told of the other', async () => {
    const forms = [await form(), await form({ minRationale: 40 })];
    const { rows } = await db
      .pool('owner')
      .query<{ key: string }>(
        `select hashtextextended('onceover approval policy tenant-north ' || $1, 0)::text as key`,
        [operation],
      );
    const answers = await behindLock(
      db,
      ['select pg_advisory_xact_lock($1::bigint)', [rows[0]!.key]],
      [() => proposePolicy(admin, forms[0]), () => proposePolicy(second, forms[1])],
    );
    expect(answers.map((each) => each.outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find((each) => each.outcome === 'refused')).toMatchObject({ code: 'PROPOSAL_IN_FLIGHT' });
  });

  it('R-081d LC-18 what was confirmed from a version that is gone counts no more', async () => {
    await proposePolicy(admin, await form());
    await installPolicy(db, { minRationale: 20 }, operation);
    expect(await decidePolicy(second, await verdict())).toMatchObject({
      code: 'CHANGED_SINCE_SEEN',
      policy: { minRationale: 20 },
    });
    await db.advanceClock('8 days');
    expect(await proposePolicy(second, await form())).toMatchObject({ outcome: 'done' });
  });
});

describe('what is refused', () => {
  it.each([
    ['another version', { version: 7 }, 'CHANGED_SINCE_SEEN'],
    ['a foreign tenant', { tenantId: 'tenant-south' }, 'NOT_FOUND'],
    ['no reason that is seen', { reason: 'short\u200b\u200b\u200b\u200b\u200b' }, 'RATIONALE_LENGTH'],
    ['confirmations without a step', { steps: [step()] }, 'POLICY_INCOMPLETE'],
    ['no step', { steps: [] }, 'POLICY_INCOMPLETE'],
    ['a threshold alone', policyContent({ steps: [step({ fromAmount: '100' })] }), 'POLICY_INCOMPLETE'],
    ['a role that nobody has', policyContent({ steps: [step({ role: 'MANAGER' })] }), 'POLICY_UNSATISFIABLE'],
    [
      'an authority that nobody has',
      policyContent({ steps: [step({ authority: 'moon' })] }),
      'POLICY_UNSATISFIABLE',
    ],
    ['more people than there are', policyContent({ steps: [step({ count: 5 })] }), 'POLICY_UNSATISFIABLE'],
    ['what holds already', policyContent(), 'NOTHING_CHANGED'],
    ['a number out of its bounds', { minRationale: 5 }, 'INVALID_INPUT'],
  ])('R-081c %s', async (_what, change, code) => {
    expect(await proposePolicy(admin, await form({ ...change }))).toMatchObject({ outcome: 'refused', code });
    expect(await waitingProposal(db, operation)).toBe('');
  });

  it('R-081c R-074a only administrators of the tenant ask and confirm', async () => {
    for (const roles of [['OPERATOR'], ['APPROVER'], ['MANAGER']])
      expect(await proposePolicy(await desk.desk({ roles }), await form())).toMatchObject({
        code: 'ROLE_MISSING',
      });
    await proposePolicy(admin, await form());
    const stranger = await desk.desk({ roles: ['ADMIN'], tenants: ['tenant-south'] });
    expect(await decidePolicy(stranger, await verdict())).toMatchObject({ code: 'NOT_FOUND' });
    expect(await decidePolicy(await desk.desk({ roles: ['APPROVER'] }), await verdict())).toMatchObject({
      code: 'ROLE_MISSING',
    });
  });

  it('R-081c the table holds no policy that leaves a kind of request without a step', async () => {
    await expect(
      asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
        client.query(
          `insert into review.approval_policies (tenant_id, operation, version, steps) values ('tenant-north', $1, 1, $2)`,
          [operation, JSON.stringify([step()])],
        ),
      ),
    ).rejects.toMatchObject({ constraint: 'approval_policies_steps_form' });
  });
});
