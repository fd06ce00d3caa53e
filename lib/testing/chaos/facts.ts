// What is true after the runs: the outside systems' own files beside the ledger's rows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { SYSTEM_NAMES } from '@/lib/sandbox/settings';

/** One thing that exists outside; `reference` is the execution key that it was made under. */
export interface Effect {
  readonly system: string;
  readonly id: string;
  readonly reference: string;
}

export interface ExecutionFact {
  readonly key: string;
  readonly lineage: string;
  readonly state: string;
  readonly resultId: string | null;
  readonly relation: string | null;
  readonly superseded: boolean;
}

export interface Facts {
  readonly effects: readonly Effect[];
  readonly executions: readonly ExecutionFact[];
  /** Lineages with an open exception. */
  readonly open: ReadonlySet<string>;
  /** By disposition. */
  readonly intakes: Readonly<Record<string, number>>;
  readonly exceptions: number;
  readonly takeovers: number;
  /** Operation ids of decisions that the audit knows as done. */
  readonly decided: ReadonlySet<string>;
}

interface Entry {
  readonly type: string;
  readonly id?: string;
  readonly reference?: string;
  readonly externalReference?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MADE = new Set(['record', 'message', 'payment']);

/** Read from the files that the systems themselves keep; the ledger has no part in it. */
export function readEffects(folder: string): Effect[] {
  return SYSTEM_NAMES.flatMap((system) =>
    readFileSync(path.join(folder, 'sandbox', `${system}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry)
      .filter((entry) => MADE.has(entry.type))
      .map((entry) => ({
        system,
        id: entry.id ?? '',
        reference: entry.reference ?? entry.externalReference ?? entry.headers?.['X-Reference'] ?? '',
      })),
  );
}

export async function readFacts(owner: pg.Pool, folder: string): Promise<Facts> {
  const all = async <Row extends pg.QueryResultRow>(sql: string) => (await owner.query<Row>(sql)).rows;
  const executions = await all<ExecutionFact>(
    `select idempotency_key as key, lineage_id as lineage, state, result_id as "resultId", reissue_relation as relation,
            superseded_by is not null as superseded from ledger.executions`,
  );
  const open = await all<{ lineage: string }>(
    `select e.lineage_id as lineage from review.exceptions x join ledger.executions e using (execution_id) where x.state = 'OPEN'`,
  );
  const intakes = await all<{ disposition: string; count: string }>(
    `select disposition, count(*) from ledger.intakes group by disposition`,
  );
  const [counts] = await all<{ exceptions: string; takeovers: string }>(
    `select (select count(*) from review.exceptions) as exceptions,
            (select count(*) from ledger.attempts where outcome = 'TAKEN_OVER') as takeovers`,
  );
  const decided = await all<{ operation_id: string }>(
    `select operation_id from review.audit_events where outcome = 'done' and operation_id is not null`,
  );
  return {
    effects: readEffects(folder),
    executions,
    open: new Set(open.map(({ lineage }) => lineage)),
    intakes: Object.fromEntries(intakes.map(({ disposition, count }) => [disposition, Number(count)])),
    exceptions: Number(counts?.exceptions ?? 0),
    takeovers: Number(counts?.takeovers ?? 0),
    decided: new Set(decided.map(({ operation_id }) => operation_id)),
  };
}
