// What is true after the runs: the outside systems' own files beside the ledger's rows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isUnreachable } from '@/lib/db/sqlstate';
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
  readonly exceptions: number;
  readonly takeovers: number;
}

export interface IntakeFact {
  readonly key: string;
  readonly disposition: string;
  readonly count: number;
}

export interface Facts {
  readonly effects: readonly Effect[];
  readonly executions: readonly ExecutionFact[];
  /** Lineages with an open exception. */
  readonly open: ReadonlySet<string>;
  readonly intakes: readonly IntakeFact[];
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
  const all = async <Row extends pg.QueryResultRow>(sql: string) =>
    (await whenUp(() => owner.query<Row>(sql))).rows;
  const executions = await all<ExecutionFact>(
    `select e.idempotency_key as key, e.lineage_id as lineage, e.state, e.result_id as "resultId", e.reissue_relation as relation,
            e.superseded_by is not null as superseded,
            (select count(*)::int from review.exceptions x where x.execution_id = e.execution_id) as exceptions,
            (select count(*)::int from ledger.attempts a where a.execution_id = e.execution_id and a.outcome = 'TAKEN_OVER') as takeovers
     from ledger.executions e`,
  );
  const open = await all<{ lineage: string }>(
    `select e.lineage_id as lineage from review.exceptions x join ledger.executions e using (execution_id) where x.state = 'OPEN'`,
  );
  const intakes = await all<IntakeFact>(
    `select idempotency_key as key, disposition, count(*)::int from ledger.intakes where idempotency_key is not null group by 1, 2`,
  );
  const decided = await all<{ operation_id: string }>(
    `select operation_id from review.audit_events where outcome = 'done' and operation_id is not null`,
  );
  return {
    effects: readEffects(folder),
    executions,
    open: new Set(open.map(({ lineage }) => lineage)),
    intakes,
    decided: new Set(decided.map(({ operation_id }) => operation_id)),
  };
}

/** The part of the facts that belongs to some intents: their keys, and whatever was reissued for them. */
export function factsAbout(facts: Facts, keys: ReadonlySet<string>): Facts {
  const own = facts.executions.filter((each) => keys.has(each.key));
  const lineages = new Set(own.map((each) => each.lineage));
  const executions = facts.executions.filter((each) => lineages.has(each.lineage));
  const all = new Set([...keys, ...executions.map((each) => each.key)]);
  return {
    ...{ ...facts, executions },
    effects: facts.effects.filter((each) => all.has(each.reference)),
    intakes: facts.intakes.filter((each) => all.has(each.key)),
  };
}

/** Milliseconds; a killed database is up again in a few seconds. */
const RESTART_MS = 30_000;

/** Reads again while the database is away: the run beside this one may just have killed it. */
async function whenUp<T>(read: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + RESTART_MS; ; await sleep(100)) {
    try {
      return await read();
    } catch (error) {
      if (!isUnreachable(error) || performance.now() > until) throw error;
    }
  }
}
