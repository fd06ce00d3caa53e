import { describe, expect, test } from 'vitest';
import { DATABASE_EVERY, planRun } from './plan';

describe('the plan of a chaos run', () => {
  test('follows from the seed and the number alone, so that a failing run can be repeated', () => {
    expect(planRun(7, 3)).toEqual(planRun(7, 3));
    expect(planRun(7, 3)).not.toEqual(planRun(7, 4));
    expect(planRun(7, 3)).not.toEqual(planRun(8, 3));
  });

  test('two hundred runs kill the database at least twenty times and processes far more often', () => {
    const plans = Array.from({ length: 200 }, (_, run) => planRun(1, run));
    const databases = plans.filter((plan) => plan.killDatabaseAfterMs !== null);
    expect(databases.length).toBe(Math.floor(200 / DATABASE_EVERY));
    expect(databases.length).toBeGreaterThanOrEqual(20);
    const strikes = plans.flatMap(({ intents }) =>
      intents.flatMap(({ copies }) => copies.map(({ strike }) => strike)),
    );
    expect(strikes.filter((strike) => strike?.action === 'KILL').length).toBeGreaterThan(100);
    expect(strikes.filter((strike) => strike?.action === 'STOP').length).toBeGreaterThan(100);
  });

  test('every named point of an automation is struck by some plan', () => {
    const plans = Array.from({ length: 200 }, (_, run) => planRun(2, run));
    const points = new Set(
      plans.flatMap(({ intents }) =>
        intents.flatMap(({ copies }) => copies.map(({ strike }) => strike?.point)),
      ),
    );
    expect([...points].filter((point) => point !== undefined).sort()).toEqual([
      'claim.answered',
      'claim.sending',
      'complete.answered',
      'complete.sending',
      'effect.done',
      'effect.sending',
      'effect_started.answered',
      'effect_started.sending',
    ]);
  });
});
