import { describe, expect, it } from 'vitest';
import { kindsWithoutStep, policyDifference, type PolicyContent, type PolicyStep } from './approval-policy';

const step = (change: Partial<PolicyStep> = {}): PolicyStep => ({
  kinds: ['REISSUE'],
  count: 1,
  role: 'APPROVER',
  authority: null,
  fromAmount: null,
  fromEffect: null,
  ...change,
});
const content = (change: Partial<PolicyContent> = {}): PolicyContent => ({
  removes: false,
  steps: [step()],
  minRationale: 10,
  approvalTtlSeconds: 600,
  executionTtlSeconds: 60,
  ...change,
});

describe('an approval policy', () => {
  it('R-081d tells each difference and nothing that is the same, whatever the order', () => {
    const two = content({ steps: [step({ count: 2 }), step({ kinds: ['SETTLE_EFFECT', 'REISSUE'] })] });
    const turned = content({ steps: [step({ kinds: ['REISSUE', 'SETTLE_EFFECT'] }), step({ count: 2 })] });
    expect(policyDifference(two, turned)).toEqual([]);
    expect(policyDifference(content(), content({ steps: [step(), step()], minRationale: 40 }))).toEqual([
      { what: 'step-added', step: step() },
      { what: 'minRationale', from: 10, to: 40 },
    ]);
    expect(policyDifference(content(), content({ removes: true, steps: [] }))).toEqual([
      { what: 'removed' },
      { what: 'step-removed', step: step() },
    ]);
    expect(policyDifference(content({ removes: true, steps: [] }), content())[0]).toEqual({
      what: 'restored',
    });
  });

  it('R-081c names the kinds of requests that no step always applies to', () => {
    expect(kindsWithoutStep([step(), step({ kinds: ['SETTLE_EFFECT'], fromAmount: '1' })])).toEqual([
      'CONFIRM_NOT_APPLIED',
      'SETTLE_EFFECT',
    ]);
  });
});
