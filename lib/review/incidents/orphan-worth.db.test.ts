import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  incidentFixture,
  READING,
  reportOf,
  type IncidentFixture,
  type ReportLine,
} from '@/lib/testing/incident-fixture';
import { installPolicy, step } from '@/lib/testing/policy-forms';
import type { LookingContext } from '../desk-context';
import { getRequest } from '../get-request';
import { listRequests } from '../list-requests';
import { requestEffectSettlement } from '../request-effect-settlement';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
let first: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
  first = await desk.desk();
  second = await desk.desk();
  await db
    .pool('superuser')
    .query(
      `update ledger.operation_policies set value_field = '/amount', value_currency = 'KRW' where operation = 'create-payment' and retired_at is null`,
    );
  await installPolicy(db, {
    minRationale: 20,
    steps: [step(), step({ kinds: ['SETTLE_EFFECT'], count: 2, role: null, fromAmount: '1000' })],
  });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** An effect that nobody knows, as the report tells it. */
async function orphanOf(change: Partial<ReportLine>, reading = READING) {
  const outage = await incidents.outage();
  const line = { reference: `nobody-${randomUUID()}`, id: `orphan-${randomUUID()}`, ...change };
  const file = reportOf(line);
  const judged = await incidents.judge(first, outage, file, { reading });
  if (judged.outcome !== 'done' || judged.reportId === undefined) throw new Error(JSON.stringify(judged));
  const reportId = judged.reportId;
  await incidents.propose(first, reportId);
  await incidents.checkSample(second, reportId);
  await incidents.confirm(second, reportId);
  await incidents.apply(reportId);
  const [row] = await incidents.rows(reportId);
  return { exceptionId: String(row!['orphan_id']), resultId: line.id, system: outage.system };
}

async function asked(exceptionId: string, resultId: string) {
  const { form } = await desk.seen(first, exceptionId);
  return requestEffectSettlement(first, {
    ...form,
    ...{ outcome: 'APPLIED', resultId, resultUrl: null, businessImpact: 'Paid twice to one shop.' },
    ...{ otherFate: 'KEPT', compensationId: null },
  });
}

async function requestOf(exceptionId: string, resultId: string) {
  const answer = await asked(exceptionId, resultId);
  if (answer.outcome !== 'requested') throw new Error(JSON.stringify(answer));
  return (await getRequest(second, answer.requestId))!;
}

it('R-081p what an orphan is worth is shown, counts for the thresholds, and is on record', async () => {
  const { exceptionId, resultId, system } = await orphanOf({ amount: '120.50' });
  const { view } = await desk.seen(first, exceptionId);
  expect(view).toMatchObject({
    orphan: { resultId, amount: { value: '120.50', currency: 'KRW' } },
    exposure: { effectsPossible: 1, doubleAmount: { value: '120.50', currency: 'KRW' } },
    policy: { approval: { minRationale: 20, steps: [{ count: 1 }] } },
  });
  const request = await requestOf(exceptionId, resultId);
  expect(request).toMatchObject({
    orphanAmount: { value: '120.50', currency: 'KRW' },
    targetSystem: system,
    targetAccount: 'main',
    terms: { steps: [{ count: 1 }] },
    policy: { approval: { minRationale: 20, steps: [{ count: 1 }] } },
  });
  const listed = await listRequests(
    { actor: second.actor, db: second.pool },
    { filter: { states: ['PENDING'], kinds: [] }, cursor: null, size: 50 },
  );
  expect(listed).toMatchObject({
    rows: [{ requestId: request.requestId, amount: { value: '120.50', currency: 'KRW' } }],
  });
  const [event] = (await desk.audit({ exceptionId })).filter(
    ({ event: name }) => name === 'decision.effect_settle_requested',
  );
  expect(event).toMatchObject({
    body: { stakeAmount: '120.50', stakeCurrency: 'KRW', targetSystem: system, targetAccount: 'main' },
  });
});

it('R-081p above the threshold it takes two, as does one whose worth cannot be told', async () => {
  for (const amount of ['1000', '"1.000,00"', '']) {
    const { exceptionId, resultId } = await orphanOf({ amount });
    expect(await requestOf(exceptionId, resultId)).toMatchObject({
      terms: { steps: [{ count: 2 }, { count: 1 }] },
    });
  }
});

it('R-081p a report that counts hundredths is read as such', async () => {
  const [amount] = READING.content;
  const { exceptionId } = await orphanOf(
    { amount: '12050' },
    { ...READING, content: [{ ...amount!, decimals: 2 }] },
  );
  const { view } = await desk.seen(first, exceptionId);
  expect(view.orphan).toMatchObject({ amount: { value: '120.50' } });
});

it('R-056j no other result than the orphan’s own can count for it', async () => {
  const { exceptionId, resultId } = await orphanOf({});
  expect(await asked(exceptionId, `${resultId}-other`)).toMatchObject({ code: 'NOT_THIS_EFFECT' });
  expect(await asked(exceptionId, resultId)).toMatchObject({ outcome: 'requested' });
});
