import { describe, expect, it } from 'vitest';
import { proposePolicy } from './policy-proposal';

describe('R-019c what a policy is proposed to demand', () => {
  it.each([
    ['IRREVERSIBLE', true],
    ['COMPENSABLE', false],
    ['REVERSIBLE', false],
    ['NONE', false],
  ] as const)('R-019c %s: approval %s', (effectClass, approvalRefRequired) => {
    expect(proposePolicy(effectClass)).toEqual({ approvalRefRequired });
  });
});
