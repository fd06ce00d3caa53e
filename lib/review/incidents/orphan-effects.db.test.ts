import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, RATIONALE, type DeskFixture } from '@/lib/testing/desk-fixture';
import { checkOf, incidentFixture, reportOf, type IncidentFixture } from '@/lib/testing/incident-fixture';
import { testContext } from '@/lib/testing/people';
import { installPolicy } from '@/lib/testing/policy-forms';
import type { LookingContext } from '../desk-context';
import { decideRequest } from '../decide-request';
import { getRequest } from '../get-request';
import { listRequests } from '../list-requests';
import { requestEffectSettlement } from '../request-effect-settlement';
import { checkSampleRow } from './check-sample-row';
import { outageOf } from './outage-of';

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
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const orphan = async () => {
  const outage = await incidents.outage();
  const line = { reference: `nobody-${randomUUID()}`, id: `orphan-${randomUUID()}` };
  const reportId = await incidents.checked(first, second, outage, reportOf(line));
  await incidents.confirm(second, reportId);
  await incidents.apply(reportId);
  const [row] = await incidents.rows(reportId);
  return { exceptionId: String(row!['orphan_id']), resultId: line.id, outage, reportId };
};

const settlement = async (by: LookingContext, exceptionId: string, resultId: string) => {
  const { form } = await desk.seen(by, exceptionId);
  return {
    ...form,
    ...{ outcome: 'APPLIED', resultId, resultUrl: null, businessImpact: 'Paid twice to one shop.' },
    ...{ otherFate: 'KEPT', compensationId: null },
  };
};

it('R-056j R-047b an orphan’s page tells the row’s facts, and where they come from', async () => {
  const { exceptionId, resultId, outage, reportId } = await orphan();
  const { view } = await desk.seen(first, exceptionId);
  expect(view).toMatchObject({
    execution: null,
    exception: { kind: 'ORPHAN_EFFECT', reasonCode: 'IN_PROVIDER_REPORT' },
  });
  const told = await outageOf({ actor: first.actor, db: first.pool }, exceptionId);
  expect(told).toMatchObject({
    incident: null,
    orphan: {
      resultId,
      reportId,
      rowNumber: 2,
      system: outage.system,
      account: 'main',
      incidentId: outage.incidentId,
    },
  });
  const south = await desk.desk({ tenants: ['tenant-south'] });
  expect(await outageOf({ actor: south.actor, db: south.pool }, exceptionId)).toEqual({
    incident: null,
    orphan: null,
  });
  const member = outage.members[0]!.exceptionId;
  expect(await outageOf({ actor: first.actor, db: first.pool }, member)).toMatchObject({
    incident: { incidentId: outage.incidentId, state: 'OPEN' },
    orphan: null,
  });
});

it('R-056j is settled as other effects are, by a second person', async () => {
  const { exceptionId, resultId } = await orphan();
  const asked = await requestEffectSettlement(first, await settlement(first, exceptionId, resultId));
  if (asked.outcome !== 'requested') throw new Error(JSON.stringify(asked));
  expect(
    await requestEffectSettlement(second, await settlement(second, exceptionId, resultId)),
  ).toMatchObject({
    code: 'REQUEST_IN_FLIGHT',
  });
  const request = await getRequest(second, asked.requestId);
  expect(request).toMatchObject({
    ...{ execution: null, executionVersion: null, basisChanged: false, approveRefusal: null },
    params: { resultId, otherFate: 'KEPT' },
  });
  const listed = await listRequests(
    { actor: second.actor, db: second.pool },
    { filter: { states: ['PENDING'], kinds: [] }, cursor: null, size: 50 },
  );
  expect(listed).toMatchObject({ kind: 'page', rows: [{ requestId: asked.requestId, key: null }] });
  const verdict = (by: LookingContext) =>
    decideRequest(by, {
      ...{ requestId: asked.requestId, digest: request!.digest, verdict: 'APPROVE', rationale: RATIONALE },
      ...{ lookAgain: false, operationId: randomUUID() },
    });
  expect(await verdict(first)).toMatchObject({ code: 'SELF_APPROVAL' });
  expect(await verdict(second)).toMatchObject({ outcome: 'done' });
  const { view } = await desk.seen(first, exceptionId);
  expect(view.exception).toMatchObject({ state: 'CLOSED' });
  const settled = (await desk.audit({ exceptionId })).findLast(
    ({ event }) => event === 'decision.effect_settled',
  );
  expect(settled).toMatchObject({ outcome: 'done', actor_id: second.actor.personId });
});

it('R-089a R-056h what somebody wrote about a sampled row can be erased with the row’s execution', async () => {
  const outage = await incidents.outage();
  const { id, key } = outage.members[0]!;
  const reportId = await incidents.judged(first, outage, reportOf({ reference: key }));
  await incidents.propose(first, reportId);
  const canary = 'Frau Kim from the corner shop';
  await checkSampleRow(
    second,
    checkOf(reportId, 2, { place: canary, text: canary, address: 'https://kim.example.com' }),
  );
  await incidents.confirm(second, reportId);
  await incidents.apply(reportId);
  const kept = async () =>
    JSON.stringify([
      (await db.pool('owner').query('select * from review.report_checks where report_id = $1', [reportId]))
        .rows,
      (await db.pool('owner').query('select value from review.audit_texts where value = $1', [canary])).rows,
    ]);
  expect(await kept()).toContain(canary);
  expect(await eraseTexts(db.pool('owner'), testContext, { execution: id }, 'DSR-1')).toMatchObject({
    outcome: 'done',
  });
  expect(await kept()).not.toMatch(/Kim|kim/);
  await expect(
    db
      .pool('owner')
      .query(`update review.report_checks set place = 'elsewhere' where report_id = $1`, [reportId]),
  ).rejects.toMatchObject({ code: 'OA002' });
});

it('R-056j asks for what the operation’s own policy asks, though no execution names it', async () => {
  const { exceptionId, resultId } = await orphan();
  await installPolicy(db, { minRationale: 60 });
  const form = await settlement(first, exceptionId, resultId);
  expect(await requestEffectSettlement(first, form)).toMatchObject({ code: 'RATIONALE_SHORT' });
  const long = { ...form, rationale: RATIONALE.repeat(3), operationId: randomUUID() };
  const asked = await requestEffectSettlement(first, long);
  if (asked.outcome !== 'requested') throw new Error(JSON.stringify(asked));
  expect(await getRequest(second, asked.requestId)).toMatchObject({
    minRationale: 60,
    policy: { approval: { own: true } },
  });
});
