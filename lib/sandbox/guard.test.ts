import { describe, expect, it } from 'vitest';
import { sandboxRefusal } from './guard';

describe('sandbox guard', () => {
  it.each([
    [{ DEMO: 'off' }, 'DEMO is off'],
    [{ DEMO: 'off', NODE_ENV: 'production' }, 'DEMO is off'],
    [{ NODE_ENV: 'production' }, 'this is a production installation'],
    [{ NODE_ENV: 'production', DEMO: 'on' }, null],
    [{}, null],
  ])('%o: %s', (env, refusal) => {
    expect(sandboxRefusal(env)).toBe(refusal);
  });
});
