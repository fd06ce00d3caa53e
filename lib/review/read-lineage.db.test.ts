import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf, type LineageNode } from '@/lib/domain/lineage';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { readLineage } from './read-lineage';

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

const read = (executionId: string, by = operator) =>
  readLineage({ actor: by.actor, db: db.pool('app') }, executionId);

/** A key made for another one, as the ledger makes it, without the people. */
async function made(
  originalId: string,
  relation: 'RETRY_AS_NEW' | 'NEW_WORK',
  name: string,
): Promise<string> {
  const owner = db.pool('owner');
  const { rows } = await owner.query<{ execution_id: string }>(
    `insert into ledger.executions (tenant_id, principal_id, operation, idempotency_key, fingerprint, fingerprint_algorithm, policy_version,
       state, state_since, moved_by, lineage_id, reissue_of, reissue_relation, created_at, updated_at)
     select tenant_id, principal_id, operation, $2 || idempotency_key, fingerprint, fingerprint_algorithm, policy_version,
       'RECEIVED', ledger.clock(), 'person', case when $3 <> 'NEW_WORK' then lineage_id end, execution_id, $3, ledger.clock(), ledger.clock()
     from ledger.executions where execution_id = $1 returning execution_id`,
    [originalId, name, relation],
  );
  return rows[0]!.execution_id;
}

/** What a test compares: who is where, and what holds for it. */
const shape = (lines: readonly (readonly LineageNode[])[]): unknown =>
  lines.map((line) =>
    line.map((node) => [node.executionId, ...(node.branches.length > 0 ? [shape(node.branches)] : [])]),
  );

describe('the lineage of a key as the pages read it', () => {
  it('R-072b R-072c original and approved reissue, with who approved it, whichever page is open', async () => {
    const { id, verdict, requestId } = await doubts.requested();
    await decideRequest(approver, verdict());
    const ran = await executeReissue(db.pool('worker'), desk.asking, { requestId }, 'job');
    if (ran.done !== 'EXECUTED') throw new Error(JSON.stringify(ran));
    const fresh = await made(ran.newExecutionId, 'NEW_WORK', 'fresh-');

    for (const present of [id, ran.newExecutionId, fresh]) {
      const lineage = await read(present);
      expect(lineage).toMatchObject({ size: 3, more: false });
      expect(shape(lineage.lines)).toEqual([[[id], [ran.newExecutionId, [[[fresh]]]]]]);
      expect(nodesOf(lineage.lines).map((node) => node.isPresent)).toEqual(
        [id, ran.newExecutionId, fresh].map((each) => each === present),
      );
      expect(nodesOf(lineage.lines).map((node) => node.isNeighbour)).toEqual(
        present === fresh ? [true, true, false] : [false, false, true],
      );
      const [original, reissue, work] = nodesOf(lineage.lines);
      expect(original).toMatchObject({ superseded: true, isLive: false, relation: null, request: null });
      expect(reissue).toMatchObject({
        superseded: false,
        isLive: true,
        relation: 'RETRY_AS_NEW',
        request: {
          requestId,
          requestedBy: { personId: operator.actor.personId },
          approvals: [{ personId: approver.actor.personId, displayName: 'Person' }],
        },
      });
      expect(work).toMatchObject({ isLive: true, relation: 'NEW_WORK', request: null });
    }
  });

  it('R-072b R-098c nothing of it is another tenant’s to see', async () => {
    const { id } = await desk.unknownPayment();
    expect(await read(id)).toMatchObject({ size: 1 });
    const stranger = await desk.desk({ tenants: ['tenant-south'] });
    expect(await read(id, stranger)).toEqual({ lines: [], size: 0, more: false });
  });

  it('R-072d draws the 50 nearest keys in one piece and says that there are more', async () => {
    const { id } = await desk.unknownPayment();
    const works: string[] = [];
    for (let n = 0; n < 60; n += 1) works.push(await made(id, 'NEW_WORK', `work-${n}-`));
    const beyond = await made(works[59]!, 'NEW_WORK', 'beyond-');
    const lineage = await read(beyond);
    expect(lineage).toMatchObject({ size: 50, more: true });
    // The present one, what it began at, and the original lie nearest; nothing hangs in the air.
    const ids = nodesOf(lineage.lines).map((node) => node.executionId);
    expect(ids).toEqual(expect.arrayContaining([beyond, works[59]!, id]));
    expect(lineage.lines).toHaveLength(1);

    const small = await desk.unknownPayment();
    for (let n = 0; n < 49; n += 1) await made(small.id, 'NEW_WORK', `work-${n}-`);
    expect(await read(small.id)).toMatchObject({ size: 50, more: false });
  });
});
