import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { sweepDesk } from '@/lib/testing/sweep-desk';
import { addManualEvidence } from './add-manual-evidence';
import { decideRequest } from './decide-request';
import type { LookingContext } from './desk-context';
import { executeReissue } from './execute-reissue';
import { getRequest } from './get-request';
import { linkResult } from './link-result';
import { listRequests } from './list-requests';
import { withdrawRequest } from './withdraw-request';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
let approver: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
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

const carryOut = (requestId: string) =>
  executeReissue(db.pool('worker'), desk.asking, { requestId }, randomUUID());

/** Requests in every state that one can end in. */
const ENDINGS: Record<string, () => Promise<string>> = {
  PENDING: async () => (await doubts.requested()).requestId,
  REJECTED: async () => {
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict({ verdict: 'REJECT' }));
    return requestId;
  },
  WITHDRAWN: async () => {
    const { requestId } = await doubts.requested();
    await withdrawRequest(operator, { requestId, operationId: randomUUID() });
    return requestId;
  },
  EXPIRED: async () => {
    const { requestId } = await doubts.requested();
    await db.advanceClock('2 days');
    await sweepDesk(db);
    return requestId;
  },
  VOID: async () => {
    const { requestId, verdict } = await doubts.requested();
    const { rows } = await db
      .pool('owner')
      .query<{ requested_by: string }>(
        'select requested_by from review.approval_requests where request_id = $1',
        [requestId],
      );
    await changePerson(db, rows[0]!.requested_by, 'disabled_at = ledger.clock()');
    await decideRequest(approver, verdict());
    await changePerson(db, rows[0]!.requested_by, 'disabled_at = null');
    return requestId;
  },
  APPROVED: async () => {
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict());
    return requestId;
  },
  EXECUTED: async () => {
    const { requestId, verdict } = await doubts.requested();
    await decideRequest(approver, verdict());
    await carryOut(requestId);
    return requestId;
  },
};

describe('a request as it is read', () => {
  it.each(Object.keys(ENDINGS))(
    'R-084 R-083 %s: readable, with who, what, why and what became of it',
    async (state) => {
      const requestId = await ENDINGS[state]!();
      const view = await getRequest(approver, requestId);
      expect(view).toMatchObject({
        state,
        kind: 'REISSUE',
        relation: 'RETRY_AS_NEW',
        requestedBy: { id: operator.actor.personId, name: 'Person' },
        params: { originalFate: 'It never happened.' },
        evidence: { outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED' },
      });
      expect(view!.voidReason).toBe(state === 'VOID' ? 'REQUESTER_DISABLED' : null);
      expect(view!.newExecution === null).toBe(state !== 'EXECUTED');
      expect(view!.verdicts.length).toBe(['REJECTED', 'APPROVED', 'EXECUTED'].includes(state) ? 1 : 0);
      // Only what waits can be decided; only what has not been carried out can be taken back.
      expect(view!.decideRefusal).toBe(state === 'PENDING' ? null : 'REQUEST_ENDED');
      const own = await getRequest(operator, requestId);
      expect(own!.decideRefusal).toBe('SELF_APPROVAL');
      expect(own!.withdrawRefusal).toBe(['PENDING', 'APPROVED'].includes(state) ? null : 'REQUEST_ENDED');
    },
  );

  it('R-070a says who may not decide and why, before anybody tries', async () => {
    const requestId = await ENDINGS['PENDING']!();
    const refusal = async (rights: Parameters<DeskFixture['desk']>[0]) =>
      (await getRequest(await desk.desk(rights), requestId))?.decideRefusal;
    expect(await refusal({ roles: ['OPERATOR'] })).toBe('ROLE_MISSING');
    expect(await refusal({ roles: ['APPROVER'], authorities: [] })).toBe('AUTHORITY_MISSING');
    expect(await refusal({ roles: ['MANAGER'] })).toBe('ROLE_MISSING');
    expect((await getRequest(approver, requestId))?.decideRefusal).toBeNull();
    // Made after the request.
    expect(await refusal({ roles: ['APPROVER'] })).toBe('RIGHT_TOO_NEW');
    expect(await refusal({ roles: ['APPROVER'], tenants: ['tenant-south'] })).toBeUndefined();
  });

  it('R-070b says that the execution has moved on since', async () => {
    const { requestId, id, exceptionId } = await doubts.requested();
    expect((await getRequest(approver, requestId))!.basisChanged).toBe(false);
    const { rows } = await db
      .pool('owner')
      .query<{ fencing_token: string }>(
        'select fencing_token from ledger.executions where execution_id = $1',
        [id],
      );
    await desk.ledger.report('complete', id, {
      fencingToken: rows[0]!.fencing_token,
      resultId: `R-${exceptionId}`,
    });
    expect((await getRequest(approver, requestId))!.basisChanged).toBe(true);
  });
});

describe('the list of requests', () => {
  it('R-098b what waits comes first, then the newest; each once, over pages, in both directions', async () => {
    // Three pages of three, whatever other tests have left.
    const states = ['REJECTED', 'PENDING', 'APPROVED', 'WITHDRAWN', 'PENDING', 'REJECTED', 'PENDING'];
    for (const state of states) await ENDINGS[state]!();
    const ctx = { actor: approver.actor, db: approver.pool };
    const filter = { states: [], kinds: [] };
    const read = async (cursor: string | null) => {
      const answer = await listRequests(ctx, { filter, cursor, size: 3 });
      if (answer.kind !== 'page') throw new Error('the cursor was refused');
      return answer;
    };
    const seen = [];
    let cursor: string | null = null;
    do {
      const page = await read(cursor);
      seen.push(...page.rows);
      cursor = page.next;
    } while (cursor !== null);
    expect(new Set(seen.map((row) => row.requestId)).size).toBe(seen.length);
    const { rows } = await db.pool('owner').query('select 1 from review.approval_requests');
    expect(seen.length).toBe(rows.length);
    const rank = seen.map((row) => (row.state === 'PENDING' ? 2 : row.state === 'APPROVED' ? 1 : 0));
    expect(rank).toEqual([...rank].sort((a, b) => b - a));
    const second = await read((await read(null)).next);
    expect((await read(second.previous)).rows).toEqual(seen.slice(0, 3));
    // A cursor opens nothing for other filters or another reader.
    const other = await listRequests(ctx, {
      filter: { states: ['PENDING'], kinds: [] },
      cursor: second.next,
      size: 3,
    });
    expect(other.kind).toBe('cursor-refused');
  });

  it('R-098a shows nothing of another tenant, and narrows to what is asked for', async () => {
    await ENDINGS['PENDING']!();
    const stranger = await desk.desk({ tenants: ['tenant-south'] });
    const none = { states: [], kinds: [] };
    const page = await listRequests(
      { actor: stranger.actor, db: stranger.pool },
      { filter: none, cursor: null, size: 50 },
    );
    expect(page).toMatchObject({ kind: 'page', rows: [] });
    const mine = await listRequests(
      { actor: operator.actor, db: operator.pool },
      { filter: { states: ['PENDING'], kinds: ['REISSUE'] }, cursor: null, size: 50 },
    );
    if (mine.kind !== 'page') throw new Error('the cursor was refused');
    expect(mine.rows.length).toBeGreaterThan(0);
    for (const row of mine.rows) expect(row).toMatchObject({ state: 'PENDING', kind: 'REISSUE', mine: true });
  });
});

it('R-079 work done by hand is linked to its execution, and the automation coming back does not repeat it', async () => {
  const { key, exceptionId } = await desk.unknownPayment();
  const { view, form } = await desk.seen(operator, exceptionId);
  const recorded = await addManualEvidence(operator, {
    exceptionId,
    operationId: randomUUID(),
    executionVersion: form.executionVersion,
    place: 'Payment console',
    seen: 'I took the payment by hand after the customer called.',
    verdict: 'APPLIED',
    checkedAt: view.now,
    resultId: `HAND-${key}`,
    targetAccount: 'main',
    contentAgrees: true,
  });
  expect(recorded).toEqual({ outcome: 'done', repeated: false });
  const seen = await desk.seen(operator, exceptionId);
  const offer = seen.view.offers.find((each) => each.decision === 'LINK_RESULT')!;
  expect(offer).toMatchObject({ refusal: null, recommended: true });
  await linkResult(operator, { ...seen.form, evidenceId: offer.evidenceId, lookAgain: false });
  expect(await desk.ledger.claim(key, { target: { system: 'payment', account: 'main' } })).toMatchObject({
    disposition: 'RESULT_REUSED',
    execution: { resultId: `HAND-${key}` },
  });
});
