import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLedgerClient } from '@/lib/ledger/client';
import { allowAttempts } from '@/lib/review/allow-attempts';
import { confirmNotApplied } from '@/lib/review/confirm-not-applied';
import { decideRequest } from '@/lib/review/decide-request';
import { type LookingContext } from '@/lib/review/desk-context';
import { executeReissue } from '@/lib/review/execute-reissue';
import { linkResult } from '@/lib/review/link-result';
import { lookUpNow } from '@/lib/review/look-up-now';
import { requestReissue } from '@/lib/review/request-reissue';
import { transaction } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { sessionOf } from '@/lib/testing/people';
import { startSandboxDemo, type SandboxDemo } from '@/lib/testing/sandbox-demo';
import { claimOf } from './automation';
import { scenarioNamed } from './scenarios';
import { readWorkBook } from './work-book';

/** Milliseconds: a process start on a busy machine, then leases, graces and horizons of seconds. */
const PATIENCE = 75_000;
const RATIONALE = 'Looked it up in the sandbox and decided by its guide.';

const CAUSES = [
  'payment-never-arrived',
  'report-killed-before-send',
  'amount-changed',
  'mail-sent-answer-lost',
  'deletion-answer-lost',
  'registered-never-claimed',
  'mail-server-out-of-reach',
];
const runs: Promise<unknown>[] = [];

let db: TestDatabase;
let demo: SandboxDemo;
let operator: LookingContext;
let approver: LookingContext;

interface Row {
  exceptionId: string;
  exceptionVersion: string;
  executionVersion: string;
  executionId: string;
  key: string;
  state: string;
  evidenceId: string | null;
  intakeId: string | null;
}

/** The open exception of the newest run of a scenario, with its newest evidence of that verdict past the horizon. */
async function read(scenario: string, kind: string, verdict: string | null): Promise<Row | undefined> {
  const { rows } = await db.pool('owner').query<Row>(
    `select x.exception_id as "exceptionId", x.version::text as "exceptionVersion", e.version::text as "executionVersion",
            e.execution_id as "executionId", e.idempotency_key as key, e.state,
            (select l.lookup_id from review.lookups l where l.execution_id = e.execution_id and l.verdict = $3
               and l.execution_version = e.version and (l.verdict <> 'NOT_APPLIED' or l.checked_at >= l.usable_from)
             order by l.checked_at desc limit 1) as "evidenceId",
            (select i.intake_id from ledger.intakes i where i.execution_id = e.execution_id
               and i.disposition = 'CONTENT_CONFLICT' order by i.received_at limit 1) as "intakeId"
     from review.exceptions x join ledger.executions e using (execution_id)
     where x.state = 'OPEN' and x.kind = $2 and e.workflow_id like $1 || '-%' order by x.opened_at desc limit 1`,
    [scenario, kind, verdict],
  );
  return rows[0];
}

/** Waits for the exception of a scenario, and for evidence of the verdict when one is asked for. */
const exceptionOf = (scenario: string, kind: string, verdict: string | null = null): Promise<Row> =>
  vi.waitFor(
    async () => {
      await demo.sweep();
      const row = await read(scenario, kind, verdict);
      if (row === undefined) throw new Error(`${scenario} has no open ${kind} yet`);
      if (verdict === null || row.evidenceId !== null) return row;
      await lookUpNow(operator, { exceptionId: row.exceptionId });
      throw new Error(`nothing shows ${verdict} yet`);
    },
    { timeout: PATIENCE, interval: 500 },
  );

function decision({ exceptionId, exceptionVersion, executionVersion }: Row) {
  return { exceptionId, exceptionVersion, executionVersion, operationId: randomUUID(), rationale: RATIONALE };
}

async function approve(answer: { outcome: string; requestId?: string }): Promise<string> {
  expect(answer).toMatchObject({ outcome: 'requested' });
  const requestId = answer.requestId ?? '';
  const { rows } = await db
    .pool('owner')
    .query<{ digest: string }>('select digest from review.approval_requests where request_id = $1', [
      requestId,
    ]);
  const verdict = {
    requestId,
    digest: rows[0]?.digest,
    verdict: 'APPROVE',
    operationId: randomUUID(),
    rationale: RATIONALE,
    lookAgain: false,
  };
  expect(await decideRequest(approver, verdict)).toEqual({ outcome: 'done', repeated: false });
  return requestId;
}

const execution = async (executionId: string) =>
  (
    await db.pool('owner').query<{
      state: string;
      result_id: string;
      key: string;
      superseded_by: string | null;
      attempt: number;
    }>('select state, result_id, idempotency_key as key, superseded_by, attempt from ledger.executions where execution_id = $1', [executionId])
  ).rows[0];

/** Carries the approved reissue out, as the worker does; answers with the new execution. */
const reissued = (requestId: string, originalId: string): Promise<string> =>
  vi.waitFor(
    async () => {
      await executeReissue(db.pool('worker'), operator.asking, { requestId }, 'test');
      const newId = (await execution(originalId))?.superseded_by;
      if (newId == null) throw new Error('no new key yet');
      return newId;
    },
    { timeout: PATIENCE, interval: 500 },
  );

/** Waits until the executor has finished the execution, and answers with it. */
const finished = (executionId: string) =>
  vi.waitFor(
    async () => {
      const row = await execution(executionId);
      expect(row?.state).toBe('SUCCEEDED');
      return row;
    },
    { timeout: PATIENCE, interval: 500 },
  );

async function makePerson(role: string): Promise<LookingContext> {
  const context = {
    actor: { kind: 'system', id: 'system:test' },
    requestId: 'test',
    sourceAddress: null,
  } as const;
  const personId = await transaction(db.pool('owner'), context, async (tx) => {
    const made = await tx.query<{ person_id: string }>(
      `insert into review.people (email, email_canonical, display_name, roles, authorities, tenant_ids)
       values ($1, $1, $2, array[$2], '{money,sending,deletion}', '{tenant-north}') returning person_id`,
      [`${role.toLowerCase()}@demo.test`, role],
    );
    return made.rows[0]?.person_id ?? '';
  });
  const actor = { personId, displayName: role, roles: [role], authorities: [], tenantIds: ['tenant-north'] };
  return {
    actor: actor as unknown as LookingContext['actor'],
    pool: db.pool('app'),
    context: {
      actor: { kind: 'person', id: personId },
      requestId: 'test',
      sourceAddress: null,
      sessionId: await sessionOf(db, personId),
    },
    asking: demo.asking,
  };
}

beforeAll(async () => {
  db = await testDatabase();
  demo = await startSandboxDemo(db);
  operator = await makePerson('OPERATOR');
  approver = await makePerson('APPROVER');
  runs.push(demo.supervisor.startExecutor().ended);
  for (const name of CAUSES) runs.push(demo.supervisor.begin(scenarioNamed(name)).ended);
}, 60_000);

afterAll(async () => {
  await demo.close();
  await Promise.all(runs);
  await db.drop();
});

describe('what people decide, automations finish', () => {
  it('R-067a R-067b a payment confirmed as not applied by two people is made once, with the same key', async () => {
    const row = await exceptionOf('payment-never-arrived', 'UNKNOWN_RESULT', 'NOT_APPLIED');
    await approve(
      await confirmNotApplied(operator, { ...decision(row), evidenceId: row.evidenceId, lookAgain: true }),
    );
    const done = await finished(row.executionId);
    expect(done).toMatchObject({ key: row.key, attempt: 2 });
    const { items } = (await demo.ask('payment', `/payments?reference=${row.key}`)).body;
    expect(items).toMatchObject([{ id: done?.result_id, status: 'succeeded' }]);
  });

  it('R-071a an expired key whose report never happened is finished under the approved new key, once', async () => {
    const row = await exceptionOf('report-killed-before-send', 'EXPIRED_KEY', 'NOT_APPLIED');
    const asked = { ...decision(row), relation: 'RETRY_AS_NEW', originalFate: 'never sent', intakeId: null };
    const requestId = await approve(
      await requestReissue(operator, { ...asked, evidenceId: row.evidenceId, lookAgain: true }),
    );
    const done = await finished(await reissued(requestId, row.executionId));
    expect(done?.key).not.toBe(row.key);
    expect((await demo.ask('crm', `/records?external_reference=${row.key}`)).body.items).toEqual([]);
    const { items } = (await demo.ask('crm', `/records?external_reference=${done?.key}`)).body;
    expect(items).toMatchObject([{ id: done?.result_id }]);
  });

  it('R-073 a correction is paid with the changed amount under its own key', async () => {
    const row = await exceptionOf('amount-changed', 'CONTENT_CONFLICT');
    const asked = {
      ...decision(row),
      relation: 'CORRECTION',
      originalFate: 'refunded by hand',
      evidenceId: null,
    };
    const requestId = await approve(
      await requestReissue(operator, { ...asked, intakeId: row.intakeId, lookAgain: false }),
    );
    const done = await finished(await reissued(requestId, row.executionId));
    const amounts = await Promise.all(
      [row.key, done?.key].map(
        async (key) => (await demo.ask('payment', `/payments?reference=${key}`)).body.items,
      ),
    );
    expect(amounts.map((items) => items?.length)).toEqual([1, 1]);
    expect(amounts[1]?.[0]?.amount).toBe((amounts[0]?.[0]?.amount ?? 0) + 30_000);
  });

  it('R-066a a late retransmission is answered with the linked mail; one mail was sent', async () => {
    const row = await exceptionOf('mail-sent-answer-lost', 'UNKNOWN_RESULT', 'APPLIED');
    const answer = await linkResult(operator, {
      ...decision(row),
      evidenceId: row.evidenceId,
      lookAgain: true,
    });
    expect(answer).toMatchObject({ outcome: 'done' });
    const work = readWorkBook(demo.dataDir).find('send-receipt-mail', row.key);
    if (work === undefined) throw new Error('the intent was not kept');
    const { resultId } = await createLedgerClient(demo.producer)
      .claim(claimOf(work.intent, 10))
      .then((told) => (told.kind === 'RESULT_REUSED' ? told : { resultId: told.kind }));
    const { items } = (await demo.ask('mail', `/messages?header=X-Reference&value=${row.key}`)).body;
    expect(items).toMatchObject([{ id: resultId }]);
  });

  it('R-066a a deletion that nobody heard of is linked by the absence of its record', async () => {
    const row = await exceptionOf('deletion-answer-lost', 'UNKNOWN_RESULT', 'APPLIED');
    const answer = await linkResult(operator, {
      ...decision(row),
      evidenceId: row.evidenceId,
      lookAgain: true,
    });
    expect(answer).toMatchObject({ outcome: 'done' });
    const { state, result_id: recordId } = (await execution(row.executionId)) ?? {};
    expect(state).toBe('SUCCEEDED');
    expect((await demo.ask('crm', `/records/${recordId}`)).status).toBe(404);
  });

  it('allowed attempts are used: work that nobody took, and work that could not be sent', async () => {
    const neglected = await exceptionOf('registered-never-claimed', 'UNCLAIMED');
    expect(await allowAttempts(operator, { ...decision(neglected), attempts: 1 })).toMatchObject({
      outcome: 'done',
    });
    const paid = await finished(neglected.executionId);
    expect((await demo.ask('payment', `/payments?reference=${neglected.key}`)).body.items).toMatchObject([
      { id: paid?.result_id },
    ]);
    const stalled = await exceptionOf('mail-server-out-of-reach', 'RETRY_STALLED');
    expect(await allowAttempts(operator, { ...decision(stalled), attempts: 1 })).toMatchObject({
      outcome: 'done',
    });
    expect(await finished(stalled.executionId)).toMatchObject({ attempt: 4 });
  });
}, 120_000);
