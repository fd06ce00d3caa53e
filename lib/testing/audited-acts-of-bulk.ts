// The acts about a bulk job, each with an occasion of its own.
import { eraseTexts } from '@/lib/audit/erase-texts';
import { exportBulkJob } from '@/lib/review/bulk/export-bulk-job';
import type { LookingContext } from '@/lib/review/desk-context';
import { cameAbout, type Prepare } from './audited-act';
import { bulkJobFixture, jobIdOf } from './bulk-job-fixture';
import type { DeskFixture } from './desk-fixture';
import { asActor } from './ledger-fixture';
import { testContext } from './people';

export function bulkActs(desk: DeskFixture, operator: LookingContext): Record<string, Prepare> {
  const bulk = bulkJobFixture(desk);
  const act = { act: 'assign', assigneeId: operator.actor.personId };
  const payments = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push((await desk.unknownPayment()).exceptionId);
    return ids;
  };
  const stepOf = (jobId: string) => () =>
    asActor(desk.db.pool('worker'), { kind: 'system', id: 'system:worker' }, (client) =>
      client.query('select review.step_bulk_job($1::uuid)', [jobId]),
    );
  const carried =
    (steps: number): Prepare =>
    async () => {
      const jobId = await bulk.started(operator, act, await payments(2));
      for (let n = 0; n < steps; n += 1) {
        await stepOf(jobId)();
        await desk.db.advanceClock('1 second');
      }
      return stepOf(jobId);
    };
  return {
    'prepare-bulk-job': async () => {
      const [exceptionId = ''] = await payments(1);
      const rows = [{ exceptionId, exceptionVersion: await bulk.versionOf(exceptionId) }];
      return () => cameAbout(bulk.prepare(operator, { ...act, source: { of: 'rows', rows } }));
    },
    'steer-bulk-job': async () => {
      const jobId = await bulk.prepared(operator, act, await payments(1));
      return () => cameAbout(bulk.steer(operator, jobId, 'start', { rate: 1, canary: null }));
    },
    'step-bulk-job, a row': carried(0),
    'step-bulk-job, a row refused': async () => {
      const [exceptionId = ''] = await payments(1);
      const source = { of: 'rows', rows: [{ exceptionId, exceptionVersion: '999' }] };
      const jobId = jobIdOf(await bulk.prepare(operator, { act: 'look-up', source }));
      await cameAbout(bulk.steer(operator, jobId, 'start', { rate: 1, canary: null }));
      return stepOf(jobId);
    },
    'step-bulk-job, its end': carried(2),
    'erase-texts, a job that would write them on': async () => {
      const person = await desk.desk();
      const { rows } = await desk.db
        .pool('owner')
        .query<{ until: Date }>(`select ledger.clock() + interval '1 hour' as until`);
      const until = rows[0]?.until.toISOString();
      const deferral = { act: 'defer', until, place: 'The console', reason: 'They are away.' };
      await bulk.prepared(person, deferral, await payments(1));
      return () =>
        eraseTexts(desk.db.pool('owner'), testContext, { person: person.actor.personId }, 'DSR-18');
    },
    'export-bulk-job': async () => {
      const jobId = await bulk.prepared(operator, act, await payments(1));
      return async () => {
        if ((await exportBulkJob(operator, jobId)) === null) throw new Error('not exported');
      };
    },
  };
}
