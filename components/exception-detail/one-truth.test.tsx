import { describe, expect, it } from 'vitest';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type RequestSummary } from '@/lib/domain/request-summary';
import { timelineOf } from '@/lib/domain/exception-timeline';
import { render } from '@/lib/testing/render';
import { ExceptionTimeline } from '../timeline/exception-timeline';
import { ExposurePanel } from './exposure-panel';
import { SettledPanel } from './settled-panel';

const AT = '2026-11-29T10:00:00.000000Z';
const by = (id: string, name: string) => ({ kind: 'person' as const, id, name });
const REQUEST = {
  ...{
    requestId: 'r1',
    kind: 'REISSUE',
    relation: 'CORRECTION',
    state: 'EXECUTED',
    stateSince: AT,
    requestedAt: AT,
  },
  requestedBy: by('p1', 'Ola Operator'),
  rationale: 'The customer added one more bag.',
  verdicts: [{ approverId: 'p2', rationale: 'Checked the phone note.' }],
} as unknown as RequestSummary;
const activity = (eventId: string, event: string, actor: object, detail: object) => ({
  ...{ eventId, at: AT, event, actor, detail: { requestId: 'r1', ...detail } },
});
const VIEW = {
  now: '2026-11-30T00:00:00Z',
  exception: {
    closedAt: AT,
    closing: 'DECISION',
    closingCode: 'REISSUE',
    closedBy: by('p2', 'Ada Approver'),
  },
  execution: null,
  ...{
    arrivals: { total: 0, shown: [] },
    attempts: [],
    lateReports: [],
    evidence: [],
    assignable: [],
    lineage: null,
  },
  activity: [
    activity('a1', 'requested', by('p1', 'Ola Operator'), { kind: 'REISSUE' }),
    activity('a2', 'request_ended', by('p2', 'Ada Approver'), { state: 'APPROVED' }),
    activity(
      'a3',
      'request_ended',
      { kind: 'system', id: 'system:worker', name: null },
      { state: 'EXECUTED' },
    ),
  ],
  decisions: [
    { decisionId: 'd1', decision: 'REISSUE', at: AT, actor: by('p2', 'Ada Approver'), rationale: null },
  ],
  requests: [REQUEST],
  policy: {
    effectClass: 'IRREVERSIBLE',
    declaredProtection: 'NONE',
    protectionClass: 'NONE',
    authority: 'money',
    approval: null,
  },
  exposure: { effectsPossible: 1, doubleEffects: 1, doubleAmount: { value: '102000', currency: 'KRW' } },
  ...{ dedupe: null, sinceSettled: { attempts: 0, effects: 0 } },
  requestedReissue: {
    ...{ requestId: 'r1', relation: 'CORRECTION', state: 'EXECUTED', sameContent: false },
    exposure: {
      ...{ state: 'SUCCEEDED', effect: 'EXISTS', effects: 1, resultId: 'PAY-1', bothEffects: 2 },
      original: { value: '102000', currency: 'KRW' },
      added: { value: '132000', currency: 'KRW' },
      both: { value: '234000', currency: 'KRW' },
    },
  },
} as unknown as ExceptionView;

describe('the page of an exception that ended with a new key', () => {
  it('R-081l tells one figure of what stands, and no worst case of another count beside it', () => {
    const html = render(<ExposurePanel view={VIEW} />);
    expect(html).toContain('₩234,000');
    expect(html).not.toContain('too much');
    const without = render(<ExposurePanel view={{ ...VIEW, requestedReissue: null }} />);
    expect(without).toContain('₩102,000</span> too much');
  });

  it('R-086m tells who decided, and that the system carried it out', () => {
    const html = render(<SettledPanel view={VIEW} />);
    expect(html).toMatch(/Ada Approver.*The system carried it out/);
    const linked = {
      ...VIEW,
      exception: { ...VIEW.exception, closingCode: 'LINK_RESULT' },
      decisions: [{ ...VIEW.decisions[0]!, decision: 'LINK_RESULT' as const }],
    };
    expect(render(<SettledPanel view={linked} />)).not.toContain('The system carried it out');
  });

  it('R-086m its timeline has the reason of whoever asked, and the name and reason of whoever approved', () => {
    const said = timelineOf(VIEW).flatMap((moment) => (moment.type === 'activity' ? [moment.said] : []));
    expect(said).toEqual(['The customer added one more bag.', 'Checked the phone note.', null]);
    const html = render(<ExceptionTimeline view={VIEW} />);
    for (const words of ['Ada Approver approved the request', 'Checked the phone note.', 'one more bag'])
      expect(html).toContain(words);
  });
});
