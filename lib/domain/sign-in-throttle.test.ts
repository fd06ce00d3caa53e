import { describe, expect, it } from 'vitest';
import { secondsToWait, type SignInHistory } from './sign-in-throttle';

const none = { count: 0, secondsSinceLast: 0 };
const history = (part: Partial<SignInHistory>): SignInHistory => ({
  pair: none,
  account: none,
  source: none,
  sourceKnown: false,
  ...part,
});
const waitAfter = (count: number, secondsSinceLast = 0) =>
  secondsToWait(history({ pair: { count, secondsSinceLast } }));

describe('slowing sign-ins down', () => {
  it('AN-02 the delay of one account from one source grows and stops growing', () => {
    expect([4, 5, 6, 7, 8, 9, 10, 20, 1_000_000].map((count) => waitAfter(count))).toEqual([
      0, 2, 4, 8, 16, 32, 60, 60, 60,
    ]);
  });

  it('AN-02 waiting it out is enough', () => {
    expect(waitAfter(20, 59.5)).toBe(1);
    expect(waitAfter(20, 60)).toBe(0);
  });

  it('AN-02 failures from elsewhere slow a stranger, not the owner at a known source', () => {
    const account = { count: 500, secondsSinceLast: 0 };
    expect(secondsToWait(history({ account }))).toBe(30);
    expect(secondsToWait(history({ account, sourceKnown: true }))).toBe(0);
  });

  it('AN-02 twenty failures of one account leave another account at that source alone', () => {
    expect(secondsToWait(history({ source: { count: 20, secondsSinceLast: 0 } }))).toBe(0);
  });

  it('AN-02 a spray over many accounts slows its source', () => {
    expect(secondsToWait(history({ source: { count: 60, secondsSinceLast: 0 }, sourceKnown: true }))).toBe(
      60,
    );
  });
});
