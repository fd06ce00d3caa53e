import { describe, expect, it } from 'vitest';
import { EXCEPTION_KINDS } from './exception-kinds';
import { CATALOGUE } from './messages/catalogue';
import { nextStep, type NextStepSubject } from './next-step';

const open: NextStepSubject = {
  kind: 'UNKNOWN_RESULT',
  state: 'OPEN',
  deferred: false,
  awaitsSecond: false,
  verdict: null,
};

describe('the next step that a list advises', () => {
  it.each([
    [null, 'LOOK_UP'],
    ['UNCLEAR', 'LOOK_UP'],
    ['UNDER_WAY', 'LOOK_AGAIN'],
    ['APPLIED', 'LINK_RESULT'],
    ['NOT_APPLIED', 'CONFIRM_NOT_APPLIED'],
  ] as const)('an unknown result whose last verdict is %s leads to %s', (verdict, step) => {
    expect(nextStep({ ...open, verdict })).toBe(step);
  });

  it('a stuck one asks the owner until evidence says more', () => {
    expect(nextStep({ ...open, kind: 'STUCK_PROCESSING' })).toBe('HEAR_FROM_OWNER');
    expect(nextStep({ ...open, kind: 'STUCK_PROCESSING', verdict: 'APPLIED' })).toBe('LINK_RESULT');
  });

  it('a verdict never settles what needs a comparison or a name', () => {
    expect(nextStep({ ...open, kind: 'CONTENT_CONFLICT', verdict: 'APPLIED' })).toBe('COMPARE_CONTENT');
    expect(nextStep({ ...open, kind: 'DUPLICATE_RESULT', verdict: 'APPLIED' })).toBe('NAME_THE_EFFECT');
  });

  it('waiting for a second person outranks a deferral, and a closed one has no step', () => {
    expect(nextStep({ ...open, deferred: true })).toBe('WAIT_UNTIL');
    expect(nextStep({ ...open, deferred: true, awaitsSecond: true })).toBe('WAIT_FOR_SECOND');
    expect(nextStep({ ...open, state: 'CLOSED', awaitsSecond: true })).toBe('NONE');
  });

  it('every kind has a step with words', () => {
    for (const kind of EXCEPTION_KINDS) {
      expect(CATALOGUE.en.glossary.nextStep[nextStep({ ...open, kind })]).toBeTruthy();
    }
  });
});
