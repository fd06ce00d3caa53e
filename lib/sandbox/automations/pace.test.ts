import { describe, expect, it } from 'vitest';
import { Pace } from './pace';

const BEGIN = Date.parse('2026-03-02T09:00:00Z');

function paceAt() {
  const clock = { now: BEGIN };
  return { clock, pace: new Pace(() => clock.now) };
}

describe('pace of the executor', () => {
  it('asks again after 40 s, then ever more rarely, at most each quarter of an hour', () => {
    const { clock, pace } = paceAt();
    const asked: number[] = [];
    for (let second = 0; second < 7200; second += 1) {
      clock.now = BEGIN + second * 1000;
      if (pace.isDue('key', '2026-03-02T09:00:00Z')) asked.push(second);
    }
    expect(asked.slice(0, 4)).toEqual([40, 120, 280, 600]);
    expect(Math.max(...asked.map((at, index) => at - (asked[index - 1] ?? 0)))).toBe(900);
  });

  it('tries a changed row at once and an unchanged one rarely', () => {
    const { clock, pace } = paceAt();
    expect(pace.mayTry('row', '1')).toBe(true);
    expect(pace.mayTry('row', '1')).toBe(false);
    expect(pace.mayTry('row', '2')).toBe(true);
    clock.now += 40_000;
    expect(pace.mayTry('row', '2')).toBe(true);
    clock.now += 40_000;
    expect(pace.mayTry('row', '2')).toBe(false);
  });
});
