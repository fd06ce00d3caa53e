// Bulk jobs over doubtful payments: prepared and steered by real commands, carried on by the worker's own run.
import { randomUUID } from 'node:crypto';
import type { JobStep } from '@/lib/domain/bulk-job';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { prepareBulkJob } from '@/lib/review/bulk/prepare-bulk-job';
import { runBulkJob, type BulkRun } from '@/lib/review/bulk/run-bulk-job';
import { steerBulkJob } from '@/lib/review/bulk/steer-bulk-job';
import type { LookingContext } from '@/lib/review/desk-context';
import { ANY_EXCEPTION, type ExceptionFilter } from '@/lib/review/exception-filter';
import type { DeskFixture } from './desk-fixture';
import type { Json } from './ledger-fixture';

/** The fastest rate that a job may have. */
export const FASTEST = 200;

export interface BulkRowRead extends Json {
  row_number: number;
  exception_id: string;
  state: string;
  code: string | null;
  foreseen: string | null;
  operation_id: string;
}

export interface BulkJobFixture {
  /** Freezes these exceptions as they are now; answers the job's id. */
  prepared: (by: LookingContext, act: object, exceptionIds: readonly string[]) => Promise<string>;
  prepare: (by: LookingContext, input: object, filter?: Partial<ExceptionFilter>) => Promise<CommandAnswer>;
  steer: (by: LookingContext, jobId: string, step: JobStep, more?: object) => Promise<CommandAnswer>;
  /** Prepared and started at the fastest rate, without a canary unless said otherwise. */
  started: (
    by: LookingContext,
    act: object,
    exceptionIds: readonly string[],
    canary?: number | null,
  ) => Promise<string>;
  /** One run of the worker, which ends when the job rests. */
  run: (jobId: string, runMs?: number) => Promise<BulkRun>;
  job: (jobId: string) => Promise<Json>;
  rows: (jobId: string) => Promise<BulkRowRead[]>;
  versionOf: (exceptionId: string) => Promise<string>;
  /** Fails unless the job's figures are those of its rows, counted in one statement. */
  sums: (jobId: string) => Promise<Record<'pending' | 'done' | 'refused' | 'failed', number>>;
}

export function bulkJobFixture(desk: DeskFixture): BulkJobFixture {
  const owner = desk.db.pool('owner');
  const versionOf = async (exceptionId: string) =>
    (
      await owner.query<{ version: string }>(
        'select version::text from review.exceptions where exception_id = $1',
        [exceptionId],
      )
    ).rows[0]!.version;

  const prepare: BulkJobFixture['prepare'] = (by, input, filter = {}) =>
    prepareBulkJob(by, { operationId: randomUUID(), ...input }, (address) =>
      address === 'misread' ? null : { filter: { ...ANY_EXCEPTION, states: ['OPEN'], ...filter }, address },
    );
  const steer: BulkJobFixture['steer'] = (by, jobId, step, more = {}) =>
    steerBulkJob(by, { jobId, step, operationId: randomUUID(), ...more });
  const prepared: BulkJobFixture['prepared'] = async (by, act, exceptionIds) => {
    const rows = await Promise.all(
      exceptionIds.map(async (exceptionId) => ({
        exceptionId,
        exceptionVersion: await versionOf(exceptionId),
      })),
    );
    return jobIdOf(await prepare(by, { ...act, source: { of: 'rows', rows } }));
  };

  return {
    prepare,
    prepared,
    steer,
    versionOf,
    started: async (by, act, exceptionIds, canary = null) => {
      const jobId = await prepared(by, act, exceptionIds);
      jobIdOf(await steer(by, jobId, 'start', { rate: FASTEST, canary }));
      return jobId;
    },
    run: (jobId, runMs = 60_000) => runBulkJob(desk.db.pool('worker'), desk.asking, { jobId }, 'test', runMs),
    job: async (jobId) =>
      (await owner.query<Json>('select * from review.bulk_jobs where job_id = $1', [jobId])).rows[0]!,
    rows: async (jobId) =>
      (
        await owner.query<BulkRowRead>(
          'select * from review.bulk_job_rows where job_id = $1 order by row_number',
          [jobId],
        )
      ).rows,
    sums: async (jobId) => {
      const { rows } = await owner.query<Record<'kept' | 'counted', Record<string, number>>>(
        `select jsonb_build_object('pending', j.pending, 'done', j.done, 'refused', j.refused, 'failed', j.failed) as kept,
                jsonb_build_object('pending', count(*) filter (where w.state = 'PENDING'), 'done', count(*) filter (where w.state = 'DONE'),
                  'refused', count(*) filter (where w.state = 'REFUSED'), 'failed', count(*) filter (where w.state = 'FAILED')) as counted
           from review.bulk_jobs j join review.bulk_job_rows w on w.job_id = j.job_id where j.job_id = $1 group by j.job_id`,
        [jobId],
      );
      const { kept, counted } = rows[0]!;
      if (JSON.stringify(kept) !== JSON.stringify(counted))
        throw new Error(`the sums ${JSON.stringify(kept)} are not the rows' ${JSON.stringify(counted)}`);
      // Sums by the names of the states, as the SQL above writes them.
      return kept as never;
    },
  };
}

export function jobIdOf(answer: CommandAnswer): string {
  if (answer.outcome !== 'done' || answer.jobId === undefined) throw new Error(JSON.stringify(answer));
  return answer.jobId;
}

/** So many doubtful payments at once, as copies of one that the ledger's verbs made; answers their exceptions. */
export async function manyPayments(desk: DeskFixture, count: number): Promise<string[]> {
  const { id, exceptionId } = await desk.unknownPayment();
  const client = await desk.db.pool('superuser').connect();
  const uuid = (letter: string) =>
    `overlay(overlay(md5('${letter}' || n || $1) placing '4' from 13) placing '8' from 17)::uuid`;
  const copies = `generate_series(1, $2::integer) n cross join lateral (select 'copy-' || n || '-' || $1 as name, ${uuid('e')} as id) c`;
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(
      `insert into ledger.executions select (jsonb_populate_record(e, jsonb_build_object('execution_id', c.id, 'lineage_id', c.id,
           'idempotency_key', c.name, 'request_id', c.name))).*
         from ledger.executions e, ${copies} where e.execution_id::text = $1`,
      [id, count],
    );
    const { rows } = await client.query<{ exception_id: string }>(
      `insert into review.exceptions select (jsonb_populate_record(x, jsonb_build_object('exception_id', ${uuid('x')},
           'execution_id', c.id, 'lineage_id', c.id))).*
         from review.exceptions x, ${copies} where x.exception_id::text = $3 returning exception_id`,
      [id, count, exceptionId],
    );
    await client.query('commit');
    return rows.map((row) => row.exception_id);
  } finally {
    client.release();
  }
}
