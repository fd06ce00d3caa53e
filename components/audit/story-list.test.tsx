import { describe, expect, it } from 'vitest';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { StoryList } from './story-list';

const about = { executionId: 'original', approvalRequestId: 'q' };
const early = auditEvent(5, about, { lookupId: 'L1', verdict: 'UNCLEAR' });
const approved = auditEvent(6, { ...about, event: 'reissue.approved' }, {});
const looked = auditEvent(7, about, { lookupId: 'L2', outcome: 'FOUND', verdict: 'APPLIED' });
const made = auditEvent(
  8,
  { ...about, event: 'reissue.executed' },
  {
    params: { newExecutionId: 'new' },
    evidenceId: 'L2',
    onBehalfOf: 'ada',
    rationale: 'The difference is real.',
  },
);
const ofNew = auditEvent(9, { ...about, executionId: 'new' }, { lookupId: 'L3', verdict: 'UNDER_WAY' });
const story = [early, approved, looked, made, ofNew];
const line = (event: (typeof story)[number], whole = story) =>
  render(
    <StoryList
      story={[event]}
      whole={whole}
      present="1"
      me="x"
      names={{ ada: 'Ada Approver' }}
      label="Story"
    />,
  );

describe('the lines of a story with a new key', () => {
  it('R-088r say whether they are about the original or about the new key', () => {
    expect(line(looked)).toContain('About the original execution');
    expect(line(ofNew)).toContain('About the execution of the new key');
    // Asked and agreed at the original, and about the new key.
    for (const of of [made, approved]) expect(line(of)).not.toContain('About the');
    expect(line(looked, [looked])).not.toContain('About the');
  });

  it('R-088r say of the look that the key was made on that the approver had not seen it', () => {
    expect(line(looked)).toContain('Whoever approved had not seen it.');
    for (const other of [early, approved, made, ofNew]) expect(line(other)).not.toContain('had not seen');
  });

  it('R-088x words of the decider are theirs, whoever carried it out', () => {
    expect(line(made)).toMatch(/Reason given by Ada Approver: <bdi[^>]*>The difference is real\./);
    const own = auditEvent(6, { ...about, event: 'reissue.approved' }, { rationale: 'Mine.' });
    expect(line(own)).not.toContain('Reason given by');
  });

  it('R-088z each line has its number, and what happened within one second is told to the fraction', () => {
    const later = { ...made, occurredAt: '2026-11-30T00:00:21.500000Z' };
    expect(line(made)).toMatch(/No\. 8.*00:00:20\.000000/);
    expect(line(later, [early, later])).not.toContain('21.500000 ');
    expect(line(later, [early, later])).toContain('00:00:21');
  });

  it('R-088ae an act that was only tried is titled so, with why it was refused', () => {
    const tried = auditEvent(
      6,
      { ...about, event: 'reissue.approved', outcome: 'refused', refusalCode: 'SELF_APPROVAL' },
      {},
    );
    expect(line(tried)).toMatch(/Refused attempt: New key approved.*Refused: own request/);
    const korean = render(<StoryList story={[tried]} present="6" me="x" names={{}} label="경과" />, 'ko');
    expect(korean).toMatch(/거절된 시도: 새 키 재발급 승인/);
    expect(line(approved)).not.toContain('attempt');
    const signIn = auditEvent(6, { event: 'session.sign_in_failed', outcome: 'refused' }, {});
    expect(line(signIn)).not.toContain('attempt');
  });
});
