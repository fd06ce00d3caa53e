import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, formatFaults, parseFaultHeader } from './fault';
import { FaultBoard } from './fault-board';

describe('fault header', () => {
  it('reads several faults with their seconds, and writes what it reads', () => {
    const faults = parseFaultHeader('visibility-delay;seconds=20, drop-after-commit');
    expect(faults).toEqual([
      { kind: 'visibility-delay', seconds: 20 },
      { kind: 'drop-after-commit', seconds: 0 },
    ]);
    expect(formatFaults(faults ?? [])).toBe('visibility-delay;seconds=20, drop-after-commit');
  });

  it('knows every kind and refuses an unknown one', () => {
    for (const kind of FAULT_KINDS) expect(parseFaultHeader(kind)).toEqual([{ kind, seconds: 0 }]);
    expect(parseFaultHeader('earthquake')).toBeNull();
    expect(parseFaultHeader('delay;seconds=x')).toBeNull();
  });
});

describe('fault board', () => {
  const subject = { operation: 'create-record', reference: 'key-1' };
  const fault = { kind: 'hang', seconds: 0 } as const;

  it('uses a one-shot rule up with the first matching call', () => {
    const board = new FaultBoard(() => 0);
    board.add({ match: { reference: 'key-1' }, fault });
    expect(board.take({ ...subject, reference: 'key-2' })).toEqual([]);
    expect(board.take(subject)).toEqual([fault]);
    expect(board.take(subject)).toEqual([]);
  });

  it('counts down the times of a rule and keeps a rate for ever', () => {
    const draws = [0.1, 0.9, 0.2];
    const board = new FaultBoard(() => draws.shift() ?? 1);
    board.add({ match: {}, fault, times: 2 });
    board.add({ match: { operation: 'create-record' }, fault: { kind: 'delay', seconds: 1 }, rate: 0.5 });
    expect(board.take(subject)).toHaveLength(2);
    expect(board.take(subject)).toHaveLength(1);
    expect(board.take(subject)).toEqual([{ kind: 'delay', seconds: 1 }]);
  });
});
