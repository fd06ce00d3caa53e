// The acts about an outage and the provider's report on it, each with an occasion of its own.
import { randomUUID } from 'node:crypto';
import type { LookingContext } from '@/lib/review/desk-context';
import { exportReport } from '@/lib/review/incidents/export-report';
import { lookUpIncident } from '@/lib/review/incidents/look-up-incident';
import { cameAbout, type Prepare } from './audited-act';
import type { DeskFixture } from './desk-fixture';
import { agreeing, ENOUGH, incidentFixture, reportOf } from './incident-fixture';
import { asActor } from './ledger-fixture';

export function incidentActs(
  desk: DeskFixture,
  first: LookingContext,
  second: LookingContext,
): Record<string, Prepare> {
  const incidents = incidentFixture(desk);
  const byWorker = (sql: string, values: unknown[]) =>
    asActor(desk.db.pool('worker'), { kind: 'system', id: 'system:worker' }, (client) =>
      client.query(sql, values),
    );

  const confirmed = async () => {
    const outage = await incidents.outage();
    const reportId = await incidents.checked(first, second, outage, reportOf(agreeing(outage)[0]!));
    await cameAbout(incidents.confirm(second, reportId));
    // Without a row that waits the choice of one ends the report.
    return () =>
      byWorker(
        `with t as materialized (select review.take_report_row($1::uuid)->>'rowNumber' as row)
         select review.apply_report_row($1::uuid, row::integer) from t`,
        [reportId],
      );
  };

  return {
    'sweep of incidents': async () => {
      const { system } = await incidents.outage(ENOUGH - 1);
      await desk.unknownPayment({ target: { system, account: 'main' } });
      return incidents.sweep;
    },
    'look-up-incident': async () => {
      const { incidentId } = await incidents.outage();
      return () => cameAbout(lookUpIncident(first, { incidentId, operationId: randomUUID() }));
    },
    'sweep of reports': async () => {
      const outage = await incidents.outage();
      const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage)));
      await desk.db.pool('superuser').query(
        `alter table review.provider_reports disable trigger all;
         update review.provider_reports set expires_at = ledger.clock() - interval '1 second' where report_id = '${reportId}';
         alter table review.provider_reports enable trigger all`,
      );
      return incidents.sweep;
    },
    'export-report': async () => {
      const outage = await incidents.outage();
      const reportId = await incidents.judged(first, outage, reportOf(...agreeing(outage)));
      return () => exportReport(first, reportId);
    },
    'apply-report, a row': confirmed,
    'apply-report, its end': async () => {
      const next = await confirmed();
      await next();
      return next;
    },
  };
}
