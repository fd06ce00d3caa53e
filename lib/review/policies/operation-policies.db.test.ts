import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import type { LookingContext } from '@/lib/review/desk-context';
import { behindLock } from '@/lib/testing/behind-lock';
import type { TestDatabase } from '@/lib/testing/database';
import { changePerson, type DeskFixture } from '@/lib/testing/desk-fixture';
import { asActor } from '@/lib/testing/ledger-fixture';
import {
  GUIDE,
  operationPolicyDesk,
  operationPolicyForm,
  operationPolicyInForce,
  type OperationPolicyDesk,
} from '@/lib/testing/operation-policy-forms';
import { sessionOf } from '@/lib/testing/people';
import { policyForm, policyVerdict, waitingProposal } from '@/lib/testing/policy-forms';
import { decidePolicy } from './decide-policy';
import { proposeOperationPolicy } from './propose-operation-policy';
import { proposePolicy } from './propose-policy';

let db: TestDatabase;
let desk: DeskFixture;
let admin: LookingContext;
let second: LookingContext;
let world: OperationPolicyDesk;
let operation: string;
beforeAll(async () => {
  world = await operationPolicyDesk();
  ({ db, desk, admin, second } = world);
});
beforeEach(() => {
  operation = `pay-${randomUUID()}`;
});
afterAll(() => world.close());

const form = (change: Partial<OperationPolicyContent> = { slaSeconds: 60 }) =>
  operationPolicyForm(db, operation, change);
const verdict = (change = {}) => policyVerdict(db, operation, change);
/** A change of the policy that two administrators have made. */
async function changed(change: Partial<OperationPolicyContent>): Promise<void> {
  expect(await proposeOperationPolicy(admin, await form(change))).toMatchObject({ outcome: 'done' });
  expect(await decidePolicy(second, await verdict())).toMatchObject({ outcome: 'done' });
}
const versions = () => world.versions(operation);
const states = () => world.states(operation);

describe('two persons', () => {
  it('R-048d one administrator asks, another confirms; nothing holds in between, and every version stays', async () => {
    const asked = await form({ guide: GUIDE, displayFields: ['/amount'], fieldTypes: { amount: 'decimal' } });
    expect(await proposeOperationPolicy(admin, asked)).toEqual({ outcome: 'done', repeated: false });
    expect(await proposeOperationPolicy(admin, asked)).toEqual({ outcome: 'done', repeated: true });
    expect(await operationPolicyInForce(db, operation)).toMatchObject({ version: 0 });
    expect(await decidePolicy(admin, await verdict())).toMatchObject({ code: 'SELF_APPROVAL' });
    const said = await verdict();
    expect(await decidePolicy(second, said)).toMatchObject({ outcome: 'done' });
    expect(await decidePolicy(second, said)).toEqual({ outcome: 'done', repeated: true });
    expect(await operationPolicyInForce(db, operation)).toEqual({ version: 1, content: asked.content });

    await changed({ slaSeconds: 60 });
    expect(await versions()).toEqual([
      { version: 1, retired: true, created_by: second.actor.personId },
      { version: 2, retired: false, created_by: second.actor.personId },
    ]);
    expect(await desk.audit({ operationId: asked.operationId })).toMatchObject([
      { event: 'policy.operation_change_requested', outcome: 'done', actor_id: admin.actor.personId },
    ]);
    expect(await desk.audit({ operationId: said.operationId })).toMatchObject([
      {
        event: 'policy.operation_changed',
        actor_id: second.actor.personId,
        body: { requestedBy: admin.actor.personId, version: 1, after: { displayFields: ['/amount'] } },
      },
    ]);
  });

  it('R-048d R-089g the chain holds a digest of the whole policy and none of its words', async () => {
    await changed({ guide: GUIDE, protectionClass: 'LOOKUP_ONLY' });
    const { rows } = await db
      .pool('owner')
      .query<{ body: string }>(`select body from review.audit_events where operation = $1`, [operation]);
    expect(rows).toHaveLength(2);
    for (const { body } of rows) {
      expect(body).not.toContain(GUIDE.en.purpose);
      expect(body).toMatch(/"digest": ?"sha256:[0-9a-f]{64}"/);
      expect(body).toContain('LOOKUP_ONLY');
    }
  });

  it('R-048d the database takes a person’s version only as it was confirmed, by somebody else, now', async () => {
    await changed({ slaSeconds: 90 });
    await proposeOperationPolicy(admin, await form({ slaSeconds: 60 }));
    const proposalId = await waitingProposal(db, operation);
    const write = (set: string, sql: string, values: unknown[] = []) =>
      asActor(db.pool('owner'), { kind: 'person', id: second.actor.personId }, async (client) => {
        await client.query(`select set_config('onceover.session_id', $1, true)`, [second.context.sessionId]);
        if (set !== '')
          await client.query(`update review.policy_proposals set ${set} where proposal_id = $1`, [
            proposalId,
          ]);
        await client.query(sql, values);
      });
    const retire = `update ledger.operation_policies set retired_at = now() where operation = $1 and retired_at is null`;
    const insert = (columns: string, values: string) =>
      `with gone as (select $1::text) insert into ledger.operation_policies (tenant_id, operation, version, created_by, proposal_id${columns})
       select 'tenant-north', $1, 2, 'me', '${proposalId}'${values}`;
    const mine = `state = 'CONFIRMED', decided_by = '${second.actor.personId}'`;
    await expect(write('', retire, [operation])).rejects.toMatchObject({ code: 'OA014' });
    await expect(write('', insert('', ''), [operation])).rejects.toMatchObject({ code: 'OA014' });
    await expect(write(`content = '{}'`, retire, [operation])).rejects.toMatchObject({ code: 'OA002' });
    await expect(
      write(mine, `update ledger.operation_policies set sla_seconds = 5 where operation = $1`, [operation]),
    ).rejects.toMatchObject({ code: 'OA002' });
    await expect(
      write(mine, `delete from ledger.operation_policies where operation = $1`, [operation]),
    ).rejects.toMatchObject({ code: 'OA002' });
    // What was confirmed says 60 seconds, and is the next version.
    await expect(write(mine, insert(', sla_seconds', ', 61'), [operation])).rejects.toMatchObject({
      code: 'OA014',
    });
    await expect(
      write(mine, insert(', sla_seconds', ', 60').replace(', 2,', ', 9,'), [operation]),
    ).rejects.toMatchObject({ code: 'OA014' });
    expect(await operationPolicyInForce(db, operation)).toMatchObject({ version: 1 });
    const app = db.pool('app');
    for (const sql of [
      'insert into ledger.operation_policies default values',
      'update ledger.operation_policies set sla_seconds = 1',
      'delete from ledger.operation_policies',
      'update review.policy_proposals set reason = reason',
    ])
      await expect(app.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('R-048d R-078d the second word takes a password shown within 15 minutes', async () => {
    await proposeOperationPolicy(admin, await form());
    const sessionId = await sessionOf(db, second.actor.personId, '2020-01-01T00:00:00Z');
    const stale = { ...second, context: { ...second.context, sessionId } };
    expect(await decidePolicy(stale, await verdict())).toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await operationPolicyInForce(db, operation)).toMatchObject({ version: 0 });
  });

  it('R-048d R-084 a proposal is rejected, taken back, or ends by itself, and stays readable', async () => {
    const passing = await desk.desk({ roles: ['ADMIN'], authorities: [] });
    await proposeOperationPolicy(passing, await form());
    await changePerson(db, passing.actor.personId, `roles = '{OPERATOR}'`);
    expect(await decidePolicy(second, await verdict())).toMatchObject({ code: 'REQUESTER_NOT_ENTITLED' });
    await decidePolicy(second, await verdict({ verdict: 'REJECT' }));
    await proposeOperationPolicy(admin, await form());
    const own = await verdict({ verdict: 'REJECT' });
    expect(await decidePolicy(admin, own)).toMatchObject({ outcome: 'done' });
    expect(await desk.audit({ operationId: own.operationId })).toMatchObject([
      { event: 'policy.operation_change_ended' },
    ]);
    await proposeOperationPolicy(admin, await form());
    await db.advanceClock('8 days');
    expect(await decidePolicy(second, await verdict())).toMatchObject({ code: 'REQUEST_EXPIRED' });
    await proposeOperationPolicy(second, await form());
    expect(await states()).toEqual(['REJECTED', 'WITHDRAWN', 'EXPIRED', 'PENDING']);
    expect(await operationPolicyInForce(db, operation)).toMatchObject({ version: 0 });
  });
});

describe('from one version', () => {
  it('R-048e LC-18 who asks from an older version is refused and told what holds by now', async () => {
    const [mine, theirs] = [await form({ slaSeconds: 60 }), await form({ slaSeconds: 90 })];
    await proposeOperationPolicy(admin, mine);
    expect(await proposeOperationPolicy(second, theirs)).toMatchObject({
      code: 'PROPOSAL_IN_FLIGHT',
      operationPolicy: { slaSeconds: 60 },
    });
    // An approval policy of the same operation is another thing.
    expect(await proposePolicy(second, await policyForm(db, { minRationale: 20 }, operation))).toMatchObject({
      outcome: 'done',
    });
    const { rows } = await db
      .pool('owner')
      .query<{ id: string }>(
        `select proposal_id as id from review.policy_proposals where operation = $1 and kind = 'OPERATION'`,
        [operation],
      );
    await decidePolicy(second, await verdict({ proposalId: rows[0]!.id }));
    expect(await proposeOperationPolicy(second, { ...theirs, operationId: randomUUID() })).toMatchObject({
      code: 'CHANGED_SINCE_SEEN',
      operationPolicy: { slaSeconds: 60 },
    });
    expect(await operationPolicyInForce(db, operation)).toMatchObject({ content: { slaSeconds: 60 } });
  });

  it('R-048e LC-18 of two who ask at the same moment one is told of the other', async () => {
    const forms = [await form({ slaSeconds: 60 }), await form({ slaSeconds: 90 })];
    const { rows } = await db
      .pool('owner')
      .query<{ key: string }>(
        `select hashtextextended('onceover approval policy tenant-north ' || $1, 0)::text as key`,
        [operation],
      );
    const answers = await behindLock(
      db,
      ['select pg_advisory_xact_lock($1::bigint)', [rows[0]!.key]],
      [() => proposeOperationPolicy(admin, forms[0]), () => proposeOperationPolicy(second, forms[1])],
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find(({ outcome }) => outcome === 'refused')).toMatchObject({
      code: 'PROPOSAL_IN_FLIGHT',
    });
  });

  it('R-048e LC-18 what was asked from a version that is gone is not confirmed', async () => {
    await proposeOperationPolicy(admin, await form());
    await desk.ledger.policy(operation, { sla_seconds: 77 });
    expect(await decidePolicy(second, await verdict())).toMatchObject({
      code: 'CHANGED_SINCE_SEEN',
      operationPolicy: { slaSeconds: 77 },
    });
    expect(await decidePolicy(second, await verdict({ verdict: 'REJECT' }))).toMatchObject({
      outcome: 'done',
    });
  });
});
