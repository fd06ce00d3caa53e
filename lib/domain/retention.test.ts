import { describe, expect, it } from 'vitest';
import { leastRetention, type WaysToArrive } from './retention';

const ways: WaysToArrive = {
  retransmissionSeconds: 100,
  offlineReturnSeconds: 200,
  manualReprocessingSeconds: 300,
  dedupeWindowSeconds: 400,
  investigationSeconds: 500,
};

describe('R-039 the least retention', () => {
  it('R-039 is the whole chain, and one second less is too short', () => {
    expect(leastRetention(ways, 1_500)).toEqual({ seconds: 1_500, tooShortFor: null });
    expect(leastRetention(ways, 1_499)).toEqual({ seconds: 1_500, tooShortFor: 'investigationSeconds' });
  });

  it.each([
    [0, 'retransmissionSeconds'],
    [99, 'retransmissionSeconds'],
    [100, 'offlineReturnSeconds'],
    [300, 'manualReprocessingSeconds'],
    [600, 'dedupeWindowSeconds'],
    [1_000, 'investigationSeconds'],
  ])('R-039 %i seconds end in the middle of %s', (planned, tooShortFor) => {
    expect(leastRetention(ways, planned)).toEqual({ seconds: 1_500, tooShortFor });
  });

  it('R-039 blames no way that adds nothing', () => {
    const few = { ...ways, retransmissionSeconds: 0, dedupeWindowSeconds: null };
    expect(leastRetention(few, 0).tooShortFor).toBe('offlineReturnSeconds');
    expect(leastRetention(few, 500)).toEqual({ seconds: 1_000, tooShortFor: 'investigationSeconds' });
  });
});
