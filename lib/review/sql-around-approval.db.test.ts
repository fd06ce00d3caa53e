// FE-17: what a function refuses, no SQL brings about: neither as the app, nor as the owner of the tables.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';

let db: TestDatabase;
let desk: DeskFixture;
let requester: LookingContext;
let approver: LookingContext;
let other: LookingContext;
let doubts: DoubtFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  requester = await desk.desk({ roles: ['OPERATOR', 'APPROVER'] });
  approver = await desk.desk({ roles: ['APPROVER'] });
  other = await desk.desk({ roles: ['APPROVER'] });
  doubts = doubtFixture(desk, requester);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

type Asked = Awaited<ReturnType<DoubtFixture['requested']>>;
const decided =
  (by: string, digest = 'digest') =>
  (id: string) =>
    `insert into review.approval_decisions (request_id, approver_id, requested_by, operation_id, verdict, rationale, digest, roles, decided_at)
   select request_id, ${by}, requested_by, ledger.new_id(), 'APPROVE', 'This is how it has to be.', ${digest}, '{APPROVER}', ledger.clock()
   from review.approval_requests where request_id = '${id}'`;
const moved = (set: string) => (id: string) =>
  `update review.approval_requests set ${set} where request_id = '${id}'`;
/** A second row like the first, with something else in the place of some members. */
const another = (change: string) => (id: string) =>
  `insert into review.approval_requests
   select (jsonb_populate_record(r, jsonb_build_object('request_id', ledger.new_id(), 'operation_id', ledger.new_id()) || ${change})).*
   from review.approval_requests r where r.request_id = '${id}'`;

/** As what the request is before: waiting, rejected (so that another may wait), or carried out. */
const WAITING = async () => doubts.requested();
const REJECTED = async () => {
  const asked = await doubts.requested();
  await decideRequest(approver, asked.verdict({ verdict: 'REJECT' }));
  return asked;
};
const EXECUTED = async () => {
  const asked = await doubts.requested();
  await decideRequest(approver, asked.verdict());
  await executeReissue(db.pool('worker'), desk.asking, { requestId: asked.requestId }, 'job');
  return asked;
};

const ATTACKS: readonly (readonly [
  what: string,
  from: () => Promise<Asked>,
  sql: (requestId: string) => string,
  owner: RegExp,
])[] = [
  ['a verdict of the requester', WAITING, decided('requested_by'), /decisions_approver_is_not_requester/],
  [
    'a verdict that names no such requester',
    WAITING,
    (id) => decided('requested_by')(id).replace('requested_by, ledger', 'ledger.new_id(), ledger'),
    /foreign key/,
  ],
  [
    'approved with no verdict',
    WAITING,
    moved(`state = 'APPROVED', execute_by = ledger.clock() + interval '1 hour'`),
    /lacks approvals/,
  ],
  [
    'executed with no verdict',
    WAITING,
    moved(`state = 'EXECUTED', new_execution_id = execution_id`),
    /may not go from PENDING to EXECUTED/,
  ],
  [
    'begun as executed',
    REJECTED,
    another(`jsonb_build_object('state', 'EXECUTED', 'new_execution_id', r.execution_id)`),
    /does not begin like this/,
  ],
  ['begun as approved', REJECTED, another(`'{"state": "APPROVED"}'`), /does not begin like this/],
  [
    'begun with another wish under the digest',
    REJECTED,
    another(`'{"state": "PENDING", "rationale": "For another reason."}'`),
    /does not begin like this/,
  ],
  [
    'a decided request that asks for something else',
    REJECTED,
    moved(`rationale = 'I asked for something else'`),
    /never changes what it asks/,
  ],
  ['a decided request with other parameters', EXECUTED, moved(`params = '{}'`), /never changes what it asks/],
  [
    'a rejected request that is approved',
    REJECTED,
    moved(`state = 'APPROVED'`),
    /may not go from REJECTED to APPROVED/,
  ],
  [
    'another key for one that has its key',
    EXECUTED,
    moved(`new_execution_id = execution_id`),
    /may not go from EXECUTED to EXECUTED/,
  ],
  [
    'a decided request that is gone',
    EXECUTED,
    (id) => `delete from review.approval_requests where request_id = '${id}'`,
    /^(DELETE|UPDATE) on review\./,
  ],
  [
    'a verdict that says something else',
    EXECUTED,
    (id) => `update review.approval_decisions set verdict = 'REJECT' where request_id = '${id}'`,
    /^(DELETE|UPDATE) on review\./,
  ],
  [
    'a verdict that is gone',
    EXECUTED,
    (id) => `delete from review.approval_decisions where request_id = '${id}'`,
    /^(DELETE|UPDATE) on review\./,
  ],
];

const ROWS = [
  'review.approval_requests',
  'review.approval_decisions',
  'review.decisions',
  'ledger.executions',
] as const;
async function facts() {
  const all = await desk.everything();
  return ROWS.map((table) => all[table]);
}

describe.each(ATTACKS)('%s', (_, from, sql, owner) => {
  it('FE-17 R-070a is refused to the app by its grants, with and without a person’s name, and to the owner by the tables', async () => {
    const { requestId } = await from();
    const before = await facts();
    for (const role of ['app', 'worker'] as const) {
      await expect(db.pool(role).query(sql(requestId))).rejects.toMatchObject({ code: '42501' });
      await expect(
        transaction(db.pool(role), requester.context, (tx) => tx.query(sql(requestId))),
      ).rejects.toMatchObject({ code: '42501' });
    }
    await expect(
      transaction(db.pool('owner'), requester.context, (tx) => tx.query(sql(requestId))),
    ).rejects.toThrow(owner);
    expect(await facts()).toEqual(before);
  });
});

describe('through the functions that the app may call', () => {
  it('FE-17 R-071b the worker’s function makes no key for a request that nobody approved', async () => {
    for (const { requestId } of [await WAITING(), await REJECTED()]) {
      const before = await facts();
      for (const role of ['app', 'worker'] as const) {
        const call = transaction(
          db.pool(role),
          { ...other.context, actor: { kind: 'system', id: 'system:x' } },
          (tx) =>
            tx.query<{ answer: { outcome: string } }>('select review.execute_reissue($1, null) as answer', [
              requestId,
            ]),
        );
        if (role === 'app') await expect(call).rejects.toMatchObject({ code: '42501' });
        else expect((await call).rows[0]!.answer).toMatchObject({ outcome: 'ended' });
      }
      expect(await facts()).toEqual(before);
    }
  });
});
