import { describe, expect, it } from 'vitest';
import type { ArrivalAnswer } from '../protocol';
import { judgeClaim, NotYetReadable, UnknownState } from './judge-claim';

const execution = { executionId: 'E', state: 'PROCESSING', effectStartedAt: null };
const answer = (more: object) =>
  ({ code: null, disposition: 'CLAIMED', execution, ...more }) as unknown as ArrivalAnswer;

describe('what a claim’s answer means', () => {
  it('R-025a words that this version does not know are never interpreted', () => {
    for (const strange of [
      { disposition: 'CLAIMED_TWICE' },
      { disposition: null },
      { code: 'A_NEW_CODE' },
      { execution: { ...execution, state: 'ARCHIVED' } },
      { execution: undefined },
    ])
      expect(() => judgeClaim(answer(strange)), JSON.stringify(strange)).toThrow(UnknownState);
  });

  it('R-025a a rival that cannot be read yet is neither a claim nor a refusal', () => {
    expect(() => judgeClaim(answer({ code: 'REQUEST_STATUS_UNCONFIRMED', execution: undefined }))).toThrow(
      NotYetReadable,
    );
  });

  it('R-022 each disposition that hands over the work is a claim', () => {
    for (const disposition of ['CLAIMED', 'RETRY_SAME_KEY', 'SAME_ATTEMPT'])
      expect(judgeClaim(answer({ disposition }))).toEqual({ claimed: true, execution });
  });
});
