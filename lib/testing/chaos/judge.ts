// Compares the outside systems' own data with the ledger, and with what the processes were told. Pure.
import { checkAnswers, type HistoryEvent } from '../check-history';
import type { Facts } from './facts';
import type { NotebookLine } from './orders';

export interface Judgement {
  /** Effects outside, executions and arrivals in the ledger, exceptions that were opened. */
  readonly effects: number;
  readonly executions: number;
  readonly intakes: number;
  readonly exceptions: number;
  /** Effects or acknowledged facts that the ledger does not show. */
  readonly lost: readonly string[];
  /** Effects beyond one per key lineage and approved reissue. */
  readonly duplicated: readonly string[];
  /** Everything else that must not be. */
  readonly other: readonly string[];
  readonly intents: number;
  /** Intents that ended with exactly one effect. */
  readonly exactlyOnce: number;
  /** Intents that are still open in the queue. */
  readonly open: number;
  readonly happened: Readonly<
    Record<'takeovers' | 'sameKeyRetries' | 'reissues' | 'fenced' | 'replays', number>
  >;
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

const TERMINAL = new Set(['SUCCEEDED', 'FAILED_FINAL', 'EXPIRED']);

/**
 * @param keys the keys that were sent, one per intent
 * @param check what a history must hold; the default leaves out the search for one order of all calls
 */
export function judge(
  facts: Facts,
  lines: readonly NotebookLine[],
  keys: readonly string[],
  check: (events: readonly HistoryEvent[]) => string[] = checkAnswers,
): Judgement {
  const byKey = new Map(facts.executions.map((each) => [each.key, each]));
  const lineageOf = (key: string) => byKey.get(key)?.lineage ?? null;
  const ofLineage = group(facts.executions, (each) => each.lineage);
  const effectsOf = group(
    facts.effects,
    (each) => lineageOf(each.reference) ?? `no execution for ${each.reference}`,
  );
  const scopes = facts.executions.map((each) => each.key);

  const lost: string[] = [];
  const duplicated: string[] = [];
  const other: string[] = scopes
    .filter((key, index) => scopes.indexOf(key) !== index)
    .map((key) => `two executions have the key ${key}`);

  for (const [lineage, effects] of effectsOf) {
    const executions = ofLineage.get(lineage) ?? [];
    const reissues = executions.filter((each) => each.relation !== null).length;
    const named = effects.map(({ id, reference }) => `${id} (${reference})`).join(', ');
    // A reissue is allowed an effect of its own, and no key is ever allowed two.
    const twice = effects.length !== new Set(effects.map(({ reference }) => reference)).size;
    if (twice || effects.length > 1 + reissues)
      duplicated.push(`${effects.length} effects of one intent: ${named}`);
    const linked = new Set(executions.map((each) => each.resultId));
    for (const { id, reference } of effects) {
      if (!linked.has(id) && !facts.open.has(lineage))
        lost.push(`effect ${id} of ${reference} is neither linked nor open`);
    }
  }
  const made = new Set(facts.effects.map((each) => each.id));
  for (const { key, state, resultId } of facts.executions) {
    if (state === 'SUCCEEDED' && (resultId === null || !made.has(resultId)))
      other.push(`${key} succeeded with ${resultId}, which does not exist outside`);
  }
  for (const fault of unkept(facts, lines, byKey)) lost.push(fault);
  const calls = historyOf(lines);
  // One by one: a ledger without its unique constraint breaks more promises than a call can take as arguments.
  for (const fault of check(calls)) other.push(fault);

  let exactlyOnce = 0;
  let open = 0;
  for (const key of keys) {
    const lineage = lineageOf(key);
    const executions = lineage === null ? [] : (ofLineage.get(lineage) ?? []);
    const settled = executions.every((each) => each.superseded || TERMINAL.has(each.state));
    if (lineage === null) lost.push(`the intent ${key} has left no execution`);
    else if (facts.open.has(lineage)) open += 1;
    else if (settled && effectsOf.get(lineage)?.length === 1) exactlyOnce += 1;
    else if (!settled) other.push(`${key} is neither settled nor open`);
  }
  const arrivals = (disposition: string) =>
    sum(facts.intakes.filter((each) => each.disposition === disposition).map((each) => each.count));
  return {
    ...{ effects: facts.effects.length, executions: facts.executions.length },
    exceptions: sum(facts.executions.map((each) => each.exceptions)),
    intakes: sum(facts.intakes.map((each) => each.count)),
    ...{ lost, duplicated, other, intents: keys.length, exactlyOnce, open },
    happened: {
      takeovers: sum(facts.executions.map((each) => each.takeovers)),
      sameKeyRetries: arrivals('RETRY_SAME_KEY'),
      reissues: facts.executions.filter((each) => each.relation !== null).length,
      fenced: calls.filter(({ code }) => code === 'FENCED').length,
      replays: arrivals('RESULT_REUSED'),
    },
  };
}

/** What somebody was told is done and the ledger does not show. */
function unkept(
  facts: Facts,
  lines: readonly NotebookLine[],
  byKey: ReadonlyMap<string, Facts['executions'][number]>,
): string[] {
  return lines.flatMap((line) => {
    if (line.type === 'outcome' && line.resultId !== null) {
      const found = byKey.get(line.key);
      const kept = found !== undefined && found.resultId === line.resultId;
      return kept
        ? []
        : [
            `${line.key} was acknowledged with ${line.resultId}, the ledger has ${found?.state} ${found?.resultId}`,
          ];
    }
    if (line.type === 'decision' && (line.outcome === 'done' || line.outcome === 'requested')) {
      return facts.decided.has(line.operationId)
        ? []
        : [`${line.decision} ${line.operationId} was acknowledged and is not in the audit`];
    }
    return [];
  });
}

/** Calls and decisions as their callers saw them, each once. */
function historyOf(lines: readonly NotebookLine[]): HistoryEvent[] {
  const events = new Map<string, HistoryEvent>();
  for (const line of lines) {
    if (line.type === 'call') {
      const { id, key, token, state, disposition, ...rest } = line;
      events.set(id, {
        ...{ ...rest, scope: key, call: line.call as HistoryEvent['call'] },
        ...(token === null ? {} : { token }),
        ...(state === null ? {} : { state }),
        ...(disposition === null ? {} : { disposition }),
      });
    }
    if (line.type === 'decision' && line.key !== null) {
      const { operationId, key, invokedAt, returnedAt, outcome } = line;
      const code = outcome === 'refused' ? outcome : null;
      events.set(operationId, {
        ...{ scope: key, process: 'operator', call: 'decision', invokedAt, returnedAt, code },
      });
    }
  }
  return [...events.values()];
}

function group<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
