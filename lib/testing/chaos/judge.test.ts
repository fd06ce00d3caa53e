import { describe, expect, test } from 'vitest';
import { factsAbout, type ExecutionFact, type Facts } from './facts';
import { judge } from './judge';
import type { NotebookLine } from './orders';

const execution = (key: string, change: Partial<ExecutionFact> = {}): ExecutionFact => ({
  ...{ key, lineage: key, state: 'SUCCEEDED', resultId: `R-${key}`, relation: null, superseded: false },
  ...{ exceptions: 0, takeovers: 0 },
  ...change,
});
const effect = (reference: string, id = `R-${reference}`) => ({ system: 'crm', id, reference });
const facts = (change: Partial<Facts> = {}): Facts => ({
  effects: [effect('a')],
  executions: [execution('a')],
  open: new Set(),
  intakes: [{ key: 'a', disposition: 'CLAIMED', count: 1 }],
  decided: new Set(),
  ...change,
});
const outcome = (key: string, resultId: string): NotebookLine => ({
  ...{ type: 'outcome', errand: `${key}/0`, key, kind: 'COMPLETED', resultId },
});
const faultsOf = (world: Facts, lines: NotebookLine[] = [], keys = ['a']) => {
  const { lost, duplicated, other } = judge(world, lines, keys);
  return { lost: lost.length, duplicated: duplicated.length, other: other.length };
};
const NONE = { lost: 0, duplicated: 0, other: 0 };

describe('the verdict over a chaos run', () => {
  test('one linked effect per intent is what everybody wants', () => {
    expect(faultsOf(facts(), [outcome('a', 'R-a')])).toEqual(NONE);
    expect(judge(facts(), [], ['a'])).toMatchObject({ exactlyOnce: 1, open: 0 });
  });

  test('two effects of one key are a duplicate, whatever the ledger says', () => {
    const twice = facts({ effects: [effect('a'), effect('a', 'R-other')], open: new Set(['a']) });
    expect(faultsOf(twice)).toEqual({ ...NONE, duplicated: 1 });
  });

  test('a reissue may have an effect of its own, and only one', () => {
    const original = execution('a', { state: 'UNKNOWN', resultId: null, superseded: true });
    const reissue = execution('b', { lineage: 'a', relation: 'RETRY_AS_NEW' });
    const executions = [original, reissue];
    expect(faultsOf(facts({ executions, effects: [effect('b')] }))).toEqual(NONE);
    const both = [effect('a'), effect('b')];
    expect(faultsOf(facts({ executions, effects: both, open: new Set(['a']) }))).toEqual(NONE);
    const three = [...both, effect('b', 'R-c')];
    expect(faultsOf(facts({ executions, effects: three, open: new Set(['a']) })).duplicated).toBe(1);
  });

  test('an effect that is neither linked nor in the queue is lost', () => {
    const unlinked = facts({ executions: [execution('a', { state: 'FAILED_FINAL', resultId: null })] });
    expect(faultsOf(unlinked).lost).toBe(1);
    expect(faultsOf(facts({ ...unlinked, open: new Set(['a']) })).lost).toBe(0);
    expect(faultsOf(facts({ effects: [effect('a'), effect('nobody')] })).lost).toBe(1);
  });

  test('what was acknowledged must be there', () => {
    expect(faultsOf(facts(), [outcome('a', 'R-else')]).lost).toBe(1);
    expect(faultsOf(facts(), [outcome('gone', 'R-gone')]).lost).toBe(1);
    const decision: NotebookLine = {
      ...{ type: 'decision', decision: 'LINK_RESULT', key: 'a', operationId: 'op', outcome: 'done' },
      ...{ invokedAt: 1, returnedAt: 2 },
    };
    expect(faultsOf(facts(), [decision]).lost).toBe(1);
    expect(faultsOf(facts({ decided: new Set(['op']) }), [decision]).lost).toBe(0);
    expect(faultsOf(facts(), [{ ...decision, outcome: 'refused' }]).lost).toBe(0);
  });

  test('an intent without an execution is lost; one that hangs undecided and unseen is a fault', () => {
    expect(faultsOf(facts(), [], ['a', 'never-seen']).lost).toBe(1);
    const hanging = facts({
      effects: [],
      executions: [execution('a', { state: 'PROCESSING', resultId: null })],
    });
    expect(faultsOf(hanging).other).toBe(1);
    expect(judge(facts({ ...hanging, open: new Set(['a']) }), [], ['a'])).toMatchObject({
      open: 1,
      other: [],
    });
  });

  test('a success without its effect, and a key with two executions, are faults', () => {
    expect(faultsOf(facts({ effects: [] })).other).toBe(1);
    expect(faultsOf(facts({ executions: [execution('a'), execution('a')] })).other).toBe(1);
  });

  test('histories that break a promise are faults', () => {
    const claim = (id: string, process: string): NotebookLine => ({
      ...{ type: 'call', id, key: 'a', process, call: 'claim', invokedAt: 1, returnedAt: 2, code: null },
      ...{ disposition: 'CLAIMED', state: null, token: '1', resultId: null },
    });
    expect(faultsOf(facts(), [claim('1', 'one'), claim('2', 'two')]).other).toBeGreaterThan(0);
  });

  test('the facts about one run hold its keys and what was reissued for them, and nothing of another run', () => {
    const reissue = execution('b', { lineage: 'a', relation: 'RETRY_AS_NEW' });
    const world = facts({
      executions: [execution('a'), reissue, execution('z')],
      effects: [effect('a'), effect('b'), effect('z')],
      intakes: ['a', 'b', 'z'].map((key) => ({ key, disposition: 'CLAIMED', count: 2 })),
    });
    const own = factsAbout(world, new Set(['a']));
    expect(own.executions.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(own.effects.map(({ reference }) => reference)).toEqual(['a', 'b']);
    expect(judge(own, [], ['a'])).toMatchObject({ intakes: 4, executions: 2, effects: 2 });
  });
});
