import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  agreeing,
  ENOUGH,
  incidentFixture,
  reportOf,
  type IncidentFixture,
} from '@/lib/testing/incident-fixture';
import type { LookingContext } from '../desk-context';

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

describe('a confirmed report', () => {
  it('R-056i links each row by the same act as a person, with the report as evidence', async () => {
    const outage = await incidents.outage();
    const [a, moved, settled] = outage.members;
    const file = reportOf(...agreeing(outage));
    const reportId = await incidents.checked(first, second, outage, file);
    await incidents.confirm(second, reportId);
    // Meanwhile one execution moves on, and one exception is settled.
    await db
      .pool('owner')
      .query(
        `update review.exceptions set state = 'CLOSED', closed_at = now(), closed_by = 'x', closing = 'EXECUTOR' where exception_id = $1`,
        [settled!.exceptionId],
      );
    await db.pool('superuser').query('alter table ledger.executions disable trigger user');
    await db
      .pool('owner')
      .query('update ledger.executions set version = version + 1 where execution_id = $1', [moved!.id]);
    await db.pool('superuser').query('alter table ledger.executions enable trigger user');
    expect(await incidents.apply(reportId)).toEqual({ done: 'ENDED', rows: ENOUGH });
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH - 2, REFUSED: 2 });
    expect(await incidents.report(reportId)).toMatchObject({ state: 'APPLIED' });
    expect(await incidents.executionOf(a!.id)).toMatchObject({
      state: 'SUCCEEDED',
      result_id: `pay-${a!.key}`,
    });
    const [evidence] = await desk.lookups(a!.id);
    expect(evidence).toMatchObject({
      verdict: 'APPLIED',
      outcome: 'FOUND',
      connector_id: null,
      result_id: `pay-${a!.key}`,
    });
    expect(evidence!['place']).toContain(String((await incidents.report(reportId))['sha256']));
    const codes = (await incidents.rows(reportId)).flatMap((row) => row['outcome_code'] ?? []);
    expect(codes.sort()).toEqual(['CHANGED_SINCE_SEEN', 'EXCEPTION_CLOSED']);
    expect(await incidents.executionOf(moved!.id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    expect(await desk.lookups(moved!.id)).toEqual([]);
    const [linked] = (await desk.audit({ exceptionId: a!.exceptionId })).filter(
      ({ event }) => event === 'decision.result_linked',
    );
    expect(linked).toMatchObject({
      outcome: 'done',
      actor_id: 'system:worker',
      body: { onBehalfOf: second.actor.personId },
    });
    await incidents.sweep();
    const { rows } = await db
      .pool('owner')
      .query(`select state from review.incidents where incident_id = $1`, [outage.incidentId]);
    expect(rows).toEqual([{ state: 'OPEN' }]);
  });

  it('R-056i refuses a result that another execution has, and takes the evidence along', async () => {
    const outage = await incidents.outage();
    const [a, b] = outage.members;
    const reportId = await incidents.checked(
      first,
      second,
      outage,
      reportOf({ reference: a!.key, id: 'same' }),
    );
    const other = await incidents.checked(first, second, outage, reportOf({ reference: b!.key, id: 'same' }));
    for (const id of [reportId, other]) await incidents.confirm(second, id);
    await incidents.apply(reportId);
    await incidents.apply(other);
    expect((await incidents.rows(other))[0]).toMatchObject({
      outcome: 'REFUSED',
      outcome_code: 'RESULT_LINKED_ELSEWHERE',
    });
    expect(await desk.lookups(b!.id)).toEqual([]);
    expect(await incidents.executionOf(b!.id)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('R-056j opens one exception for an effect that no execution knows, once for ever', async () => {
    const outage = await incidents.outage();
    const line = { reference: `nobody-${randomUUID()}`, id: `orphan-${randomUUID()}` };
    const reports = [reportOf(line), reportOf(line, { reference: outage.members[0]!.key })];
    const ids: string[] = [];
    for (const file of reports) ids.push(await incidents.checked(first, second, outage, file));
    for (const id of ids) await incidents.confirm(second, id);
    for (const id of ids) await incidents.apply(id);
    expect(await incidents.sums(ids[0]!, 'outcome')).toEqual({ ORPHAN_OPENED: 1 });
    expect(await incidents.sums(ids[1]!, 'outcome')).toEqual({ LINKED: 1, REFUSED: 1 });
    const { rows } = await db
      .pool('owner')
      .query(
        `select kind, execution_id, operation, detail from review.exceptions where detail->>'resultId' = $1`,
        [line.id],
      );
    expect(rows).toMatchObject([
      {
        kind: 'ORPHAN_EFFECT',
        execution_id: null,
        operation: 'create-payment',
        detail: { system: outage.system, account: 'main' },
      },
    ]);
    const again = await incidents.judged(first, outage, reportOf(line, line));
    expect(await incidents.sums(again, 'verdict')).toEqual({ SETTLED: 2 });
  });

  it('R-056k counts each row once, in several runs, by several workers', async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
    await incidents.confirm(second, reportId);
    expect(await incidents.apply(reportId, 3)).toEqual({ done: 'GOES_ON', rows: 3 });
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: 3, null: ENOUGH - 3 });
    await Promise.all([incidents.apply(reportId), incidents.apply(reportId)]);
    await incidents.apply(reportId);
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH });
    const { rows } = await db
      .pool('owner')
      .query<{ decisions: number }>(
        `select count(*)::integer as decisions from review.decisions where params->>'reportId' = $1`,
        [reportId],
      );
    expect(rows).toEqual([{ decisions: ENOUGH }]);
    expect(await incidents.apply(reportId)).toEqual({ done: 'ENDED', rows: 0 });
  });

  it('R-056k a row that the ledger’s own guard stops fails alone, and the others go on', async () => {
    const outage = await incidents.outage();
    const [stopped] = outage.members;
    const reportId = await incidents.checked(first, second, outage, reportOf(...agreeing(outage)));
    await incidents.confirm(second, reportId);
    const superuser = db.pool('superuser');
    await superuser.query(`create function public.stop_row() returns trigger language plpgsql as
        $$ begin raise exception 'stopped' using errcode = 'OO004'; end $$;
      create trigger stop_row before update on ledger.executions for each row when (old.execution_id = '${stopped!.id}')
        execute function public.stop_row()`);
    expect(await incidents.apply(reportId)).toEqual({ done: 'ENDED', rows: ENOUGH });
    await superuser.query('drop trigger stop_row on ledger.executions; drop function public.stop_row()');
    expect(await incidents.sums(reportId, 'outcome')).toEqual({ LINKED: ENOUGH - 1, FAILED: 1 });
    expect((await incidents.rows(reportId))[0]).toMatchObject({ outcome: 'FAILED', outcome_code: 'OO004' });
    expect(await desk.lookups(stopped!.id)).toEqual([]);
  });

  it('R-056i leaves a row whose confirmer has lost the right', async () => {
    const outage = await incidents.outage();
    const confirmer = await desk.desk();
    const reportId = await incidents.checked(
      first,
      second,
      outage,
      reportOf({ reference: outage.members[0]!.key }),
    );
    await incidents.confirm(confirmer, reportId);
    await changePerson(db, confirmer.actor.personId, `authorities = '{}'`);
    await incidents.apply(reportId);
    expect((await incidents.rows(reportId))[0]).toMatchObject({
      outcome: 'REFUSED',
      outcome_code: 'REQUESTER_NOT_ENTITLED',
    });
  });
});
