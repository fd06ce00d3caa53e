// An outage of the payment system: enough unknown payments for an incident, and the provider's report about them.
import { randomUUID } from 'node:crypto';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { ReportReading } from '@/lib/domain/report-reading';
import type { LookingContext } from '@/lib/review/desk-context';
import { applyReport, type ReportRun } from '@/lib/review/incidents/apply-report';
import { checkSampleRow } from '@/lib/review/incidents/check-sample-row';
import { decideReport } from '@/lib/review/incidents/decide-report';
import { judgeProviderReport } from '@/lib/review/incidents/judge-report';
import { proposeReport } from '@/lib/review/incidents/propose-report';
import { RATIONALE, type DeskFixture } from './desk-fixture';
import { asActor, type Json } from './ledger-fixture';

/** As many unknown results of one system as make an incident. */
export const ENOUGH = 20;

export const READING: ReportReading = {
  matchValue: 'key',
  columns: { match: 'reference', resultId: 'id', status: 'status', account: 'account' },
  fixedAccount: null,
  content: [{ expected: '{display:/amount}', column: 'amount', match: 'numeric', decimals: 0 }],
  statuses: { done: ['succeeded'], pending: ['pending'], failed: ['failed'], reversed: ['refunded'] },
};

export interface ReportLine {
  reference: string;
  id?: string;
  status?: string;
  account?: string;
  amount?: string;
}

/** A row that agrees with `unknownPayment`'s execution unless said otherwise. */
export const reportOf = (...lines: readonly ReportLine[]): Buffer =>
  Buffer.from(
    [
      'id,reference,status,account,amount,note',
      ...lines.map(
        ({ reference, id = `pay-${reference}`, status = 'succeeded', account = 'main', amount = '120.50' }) =>
          [id, reference, status, account, amount, 'words that nobody named'].join(','),
      ),
    ].join('\r\n'),
  );

export interface IncidentFixture {
  /** Unknown payments of one system, and the incident that the sweep makes of them. */
  outage: (count?: number) => Promise<Outage>;
  sweep: () => Promise<Json>;
  judge: (by: LookingContext, outage: Outage, file: Buffer, change?: object) => Promise<CommandAnswer>;
  rows: (reportId: string) => Promise<Json[]>;
  report: (reportId: string) => Promise<Json>;
  versionOf: (executionId: string) => Promise<number>;
  /** By force: no form and no function writes such a time later. */
  madeEarlier: (reportId: string, asOf: string) => Promise<void>;
  /** How many rows have which verdict, or which outcome; `null` counts those without. */
  sums: (reportId: string, column: 'verdict' | 'outcome') => Promise<Record<string, number>>;
  executionOf: (id: string) => Promise<{ state: string; result_id: string | null }>;
  judged: (by: LookingContext, outage: Outage, file: Buffer) => Promise<string>;
  propose: (by: LookingContext, reportId: string) => Promise<CommandAnswer>;
  apply: (reportId: string, rowsPerRun?: number) => Promise<ReportRun>;
  /** Every row of the sample, looked up by this person, and each agrees. */
  checkSample: (by: LookingContext, reportId: string) => Promise<void>;
  /** Judged and proposed by one, every sampled row checked by the other. */
  checked: (by: LookingContext, other: LookingContext, outage: Outage, file: Buffer) => Promise<string>;
  confirm: (by: LookingContext, reportId: string, verdict?: 'CONFIRM' | 'REJECT') => Promise<CommandAnswer>;
}

export interface Outage {
  incidentId: string;
  system: string;
  members: readonly { id: string; key: string; exceptionId: string }[];
}

export function incidentFixture(desk: DeskFixture): IncidentFixture {
  const owner = desk.db.pool('owner');

  const sweep = async () =>
    asActor(desk.db.pool('worker'), { kind: 'system', id: 'system:sweep' }, async (client) => {
      const { rows } = await client.query<{ counts: Json }>('select review.sweep() as counts');
      return rows[0]!.counts;
    });

  const rows = async (reportId: string) =>
    (
      await owner.query<Json>('select * from review.report_rows where report_id = $1 order by row_number', [
        reportId,
      ])
    ).rows;

  const judge: IncidentFixture['judge'] = (by, outage, file, change = {}) =>
    judgeProviderReport(
      by,
      {
        incidentId: outage.incidentId,
        operation: 'create-payment',
        fileName: 'payments.csv',
        asOf: '2026-01-01T00:00:00Z',
        reading: READING,
        operationId: randomUUID(),
        ...change,
      },
      file,
    );

  const judged: IncidentFixture['judged'] = async (by, outage, file) => {
    const answer = await judge(by, outage, file);
    if (answer.outcome !== 'done' || answer.reportId === undefined) throw new Error(JSON.stringify(answer));
    return answer.reportId;
  };
  const propose: IncidentFixture['propose'] = (by, reportId) =>
    proposeReport(by, { reportId, operationId: randomUUID() });

  const checkSample = async (by: LookingContext, reportId: string) => {
    for (const { row_number: rowNumber, sampled } of await rows(reportId))
      if (sampled === true) await checkSampleRow(by, checkOf(reportId, Number(rowNumber)));
  };

  return {
    sweep,
    checkSample,
    judge,
    judged,
    propose,
    rows,
    apply: (reportId, rowsPerRun) => applyReport(desk.db.pool('worker'), { reportId }, 'test', rowsPerRun),
    sums: async (reportId, column) => {
      const sums: Record<string, number> = {};
      for (const row of await rows(reportId)) {
        const name = String(row[column]);
        sums[name] = (sums[name] ?? 0) + 1;
      }
      return sums;
    },
    executionOf: async (id) =>
      (
        await owner.query<{ state: string; result_id: string | null }>(
          `select state, result_id from ledger.executions where execution_id = $1`,
          [id],
        )
      ).rows[0]!,
    outage: async (count = ENOUGH) => {
      // A system of its own, so that tests of one file do not meet; the stub's connector asks 'payment' alone.
      const system = `system-${randomUUID()}`;
      const members: Outage['members'][number][] = [];
      for (let n = 0; n < count; n += 1)
        members.push(await desk.unknownPayment({ target: { system, account: 'main' } }));
      await longAgo(desk, members);
      await sweep();
      const { rows: found } = await owner.query<{ incident_id: string }>(
        `select incident_id from review.incidents where system = $1 and state = 'OPEN'`,
        [system],
      );
      return { incidentId: found[0]?.incident_id ?? '', system, members };
    },
    report: async (reportId) =>
      (await owner.query<Json>('select * from review.provider_reports where report_id = $1', [reportId]))
        .rows[0]!,
    versionOf: async (id) => {
      const { rows: found } = await owner.query<{ version: number }>(
        'select version::integer as version from ledger.executions where execution_id = $1',
        [id],
      );
      return found[0]!.version;
    },
    madeEarlier: async (reportId, asOf) => {
      const superuser = desk.db.pool('superuser');
      await superuser.query('alter table review.provider_reports disable trigger user');
      await superuser.query('update review.provider_reports set as_of = $2 where report_id = $1', [
        reportId,
        asOf,
      ]);
      for (const name of ['keep', 'need_fresh_session', 'stay'])
        await superuser.query(
          `alter table review.provider_reports enable always trigger provider_reports_${name}`,
        );
      await superuser.query(
        'alter table review.provider_reports enable trigger provider_reports_require_context',
      );
    },
    checked: async (by, other, outage, file) => {
      const reportId = await judged(by, outage, file);
      await propose(by, reportId);
      await checkSample(other, reportId);
      return reportId;
    },
    confirm: (by, reportId, verdict = 'CONFIRM') =>
      decideReport(by, { reportId, verdict, reason: RATIONALE, operationId: randomUUID() }),
  };
}

/** The work began before the time until which the fixture's reports tell. */
async function longAgo(desk: DeskFixture, members: Outage['members']): Promise<void> {
  const superuser = desk.db.pool('superuser');
  await superuser.query('alter table ledger.executions disable trigger user');
  await superuser.query(
    `update ledger.executions set created_at = '2025-12-31' where execution_id = any($1::uuid[])`,
    [members.map(({ id }) => id)],
  );
  await superuser.query('alter table ledger.executions enable trigger user');
}

/** A row for each member that agrees with it. */
export const agreeing = (outage: Outage) => outage.members.map(({ key }) => ({ reference: key }));

/** What somebody saw of a sampled row. */
export const checkOf = (reportId: string, rowNumber: number, change: object = {}) => ({
  reportId,
  rowNumber,
  agrees: true,
  place: 'The payment service, list of payments',
  address: null,
  text: null,
  operationId: randomUUID(),
  ...change,
});
