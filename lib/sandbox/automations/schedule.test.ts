import { describe, expect, it } from 'vitest';
import { type Intent } from './intent';
import { type Scenario } from './scenario';
import { burst, MOST_OPEN, MOST_OPEN_OF_ONE, nextDangerous, openRuns } from './schedule';
import { WorkBook } from './work-book';

const NOW = new Date('2026-03-02T09:00:00Z');
const scenario = (name: string, visible = true): Scenario => ({
  name,
  principal: 'north-automation',
  kind: 'UNKNOWN_RESULT',
  visible,
  run: () => Promise.resolve(),
});
const many = Array.from({ length: 50 }, (_, index) => scenario(`s${index}`));

function intent(workflowId: string): Intent {
  return {
    type: 'intent',
    at: NOW.toISOString(),
    scenario: 's',
    principal: 'north-automation',
    operation: 'create-payment',
    key: `key-${workflowId}`,
    requestId: 'REQ-1',
    workflowId,
    step: 'payment',
    businessRef: 'order/1',
    target: { system: 'payment', account: 'north-shop' },
    contentVersion: 'v1',
    payload: { amount: 1 },
    unreachableAttempts: 0,
    neglected: false,
    retransmitted: false,
  };
}

/** A book with one run of a scenario, `minutes` ago, whose only intent is settled or not. */
function addRun(book: WorkBook, name: string, settled: boolean, minutes = 1): void {
  const workflowId = `${name}-${book.runs.length}`;
  const at = new Date(NOW.getTime() - minutes * 60_000).toISOString();
  book.apply({ type: 'run', at, scenario: name, workflowId });
  book.apply(intent(workflowId));
  if (settled)
    book.apply({
      type: 'settled',
      operation: 'create-payment',
      key: `key-${workflowId}`,
      state: 'SUCCEEDED',
    });
}

describe('schedule of dangerous scenarios', () => {
  it('starts every scenario on an empty desk', () => {
    expect(burst(new WorkBook(), many.slice(0, 5), NOW)).toHaveLength(5);
  });

  it('starts after a restart only what is not open any more', () => {
    const book = new WorkBook();
    addRun(book, 's0', false);
    addRun(book, 's1', true);
    expect(burst(book, many.slice(0, 3), NOW).map(({ name }) => name)).toEqual(['s1', 's2']);
  });

  it('never lets more than the desk can hold be open', () => {
    const book = new WorkBook();
    for (const { name } of many.slice(0, 45))
      if (nextDangerous(book, many, NOW) !== null) addRun(book, name, false);
    expect(openRuns(book, many, NOW)).toHaveLength(MOST_OPEN);
    expect(nextDangerous(book, many, NOW)).toBeNull();
    expect(burst(book, many, NOW)).toEqual([]);
  });

  it('gives the turn to the scenario that ran longest ago and still has room', () => {
    const book = new WorkBook();
    addRun(book, 's0', true, 5);
    addRun(book, 's1', true, 9);
    expect(nextDangerous(book, many.slice(0, 2), NOW)?.name).toBe('s1');
    for (let count = 0; count < MOST_OPEN_OF_ONE; count += 1) addRun(book, 's1', false, 20);
    expect(nextDangerous(book, many.slice(0, 2), NOW)?.name).toBe('s0');
  });

  it('counts what nobody can see settled for a day', () => {
    const book = new WorkBook();
    const unseen = [scenario('conflict', false)];
    addRun(book, 'conflict', true, 23 * 60);
    expect(openRuns(book, unseen, NOW)).toHaveLength(1);
    expect(openRuns(book, unseen, new Date(NOW.getTime() + 3_600_000))).toHaveLength(0);
  });
});
