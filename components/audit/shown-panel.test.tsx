import { type ComponentProps } from 'react';
import { describe, expect, it } from 'vitest';
import { lookEventsOf } from '@/lib/domain/audit-story';
import { type ConflictView } from '@/lib/domain/exception-view';
import { type KeptLook } from '@/lib/domain/kept-look';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { BodyPanels } from './body-panels';
import { ShownPanel } from './shown-panel';

const CONFLICT: ConflictView = {
  intake: {
    ...{ intakeId: 'i', executionId: 'e', receivedAt: '2026-11-30T00:00:00.000000Z', requestId: 'REQ-9' },
    ...{ disposition: 'CONTENT_CONFLICT', traceId: null, key: 'order-1', contentVersion: null },
    ...{ targetSystem: null, targetAccount: null, fingerprint: 'f', via: 'FUNCTION' },
  },
  conflictingFields: ['/amount', '/payee'],
  differences: [
    { field: '/amount', differs: true, stored: '30000', arrived: '60000' },
    { field: '/payee', differs: true, stored: undefined, arrived: undefined },
  ],
};
const LOOK: KeptLook = {
  ...{ lookupId: 'L1', connectorId: 'payments', connectorVersion: 3, system: 'payment', digest: 'd1' },
  ...{ questionUrl: 'https://pay.example/p', accountAsked: 'north', accountFound: 'south' },
  ...{ resultId: 'PAY-1', resultUrl: 'https://pay.example/p/PAY-1' },
  comparison: [{ field: 'payee', expected: 'Kim', found: 'Lee', agrees: false }],
  checkedAt: '2026-11-30T00:00:00.000000Z',
};
const looked = auditEvent(
  1,
  {},
  { lookupId: 'L1', outcome: 'FOUND', verdict: 'APPLIED', evidenceDigest: 'd1' },
);
const exposure = {
  ...{ originalState: 'SUCCEEDED', originalEffect: 'EXISTS', originalEffects: 1, bothEffects: 2 },
  ...{ originalAmount: '30000', newAmount: '60000', bothAmount: '90000' },
};
const request = auditEvent(
  7,
  { event: 'reissue.requested' },
  {
    ...{ before: { version: 4, state: 'SUCCEEDED' }, digest: 'sha256:aa', shownEvidenceId: null },
    ...{ relation: 'CORRECTION', exposure },
  },
);
const approval = auditEvent(
  8,
  { event: 'reissue.approved' },
  { digest: 'sha256:aa', shownEvidenceId: null, relation: 'CORRECTION', exposure },
);
const linked = auditEvent(
  9,
  { event: 'decision.result_linked' },
  { evidenceId: 'L1', shownEvidenceId: 'L1', authoritiesThen: [], stakeAmount: '120' },
);
const page = (more: Partial<ComponentProps<typeof ShownPanel>>, locale: 'en' | 'ko' = 'en') =>
  render(
    <ShownPanel
      event={linked}
      request={null}
      conflict={null}
      looks={new Map([['L1', LOOK]])}
      lookEvents={lookEventsOf([looked])}
      arrivals={null}
      {...more}
    />,
    locale,
  );

describe('what was shown to the person', () => {
  it('R-088v the look stands with its content and age, where its digest is, and that the act rests on it', () => {
    const html = page({});
    expect(html).toContain('What was shown to the person who decided');
    for (const told of ['Found, Applied', 'north', 'south', 'Kim', 'Lee', 'differs', '20 s old then'])
      expect(html).toContain(told);
    expect(html).toMatch(/rests on this look.*Audit event 1 holds the digest.*d1/);
    expect(html).toMatch(/Value at stake.*120.*Written in this event itself/);
  });

  it('R-088ag another look that the act rests on is named beside the one shown, and whose it is', () => {
    const basis = auditEvent(2, {}, { lookupId: 'L2', outcome: 'FOUND', verdict: 'APPLIED' });
    const lookEvents = lookEventsOf([looked, basis]);
    const answer = auditEvent(9, { event: 'reissue.approved' }, { shownEvidenceId: 'L1' });
    const asked = auditEvent(3, { event: 'reissue.requested' }, { evidenceId: 'L2' });
    const html = page({ event: answer, request: asked, lookEvents });
    expect(html).toMatch(
      /href="\/audit\/1"[^>]*>Look no\. 1, shown then.*rests on another look: .*href="\/audit\/2"[^>]*>Look no\. 2, which the act rests on/,
    );
    expect(html).toContain('It is the look of the request');
    expect(page({})).not.toContain('look of the request');
    expect(page({ event: answer, request: asked, lookEvents }, 'ko')).toContain('행위의 근거인 2번 조회');
  });

  it('R-088v none shown is one plain sentence, and a request says asking, in either language', () => {
    const html = page({ event: request, conflict: CONFLICT });
    expect(html).toContain('What was shown to the person who asked');
    expect(html).toContain('No look was shown.');
    expect(html).not.toContain('deciding');
    const korean = page({ event: approval, request, conflict: CONFLICT }, 'ko');
    expect(korean).toContain('표시된 조회가 없습니다');
    expect(korean).not.toMatch(/본 (?:조회|내용)/);
  });

  it('R-088p R-088v a correction tells which named fields change, of which version, and by which digest the chain covers it', () => {
    for (const props of [
      { event: request, request: null },
      { event: approval, request },
    ]) {
      const html = page({ ...props, conflict: CONFLICT });
      expect(html).toMatch(/amount.*30000.*60000.*payee.*kept as a hash only/);
      expect(html).toMatch(/About version 4 of the execution.*sha256:aa/);
    }
    expect(page({ event: approval, conflict: CONFLICT })).not.toContain('About version');
  });

  it('R-081a R-088v what the new key carries out is told as the whole beside what stands, not as the difference', () => {
    expect(page({ event: approval, request, conflict: CONFLICT })).toMatch(
      /whole new content, not the difference: .*60,000.* besides the .*30,000.* that stands; both together .*90,000/,
    );
    expect(page({ event: approval, request })).not.toContain('whole new content');
  });

  it('R-088v what arrived between look and act is told, and that nothing did', () => {
    expect(page({})).toContain('No request arrived');
    const arrivals = { count: 2, lastAt: '2026-11-30T00:00:19.000000Z', answer: 'DUPLICATE_HELD' } as const;
    expect(page({ arrivals })).toMatch(/2 requests arrived.*00:00:19.*Duplicate held/);
  });

  it('R-088ac words of the trade and codes stand with what they mean', () => {
    const event = auditEvent(
      9,
      {},
      {
        intakeId: 'i-1',
        disposition: 'RECONCILE_REQUIRED',
        protectionClass: 'NONE',
        before: { fencingToken: '1', leaseExpiresAt: '2026-11-30T00:00:00.000000Z', state: 'RUNNING' },
        after: { fencingToken: '2', leaseExpiresAt: '2026-11-30T00:01:00.000000Z', state: 'UNKNOWN' },
      },
    );
    const html = render(<BodyPanels event={event} noReason={false} names={{}} />);
    expect(html).toMatch(/>Arrival<span[^>]*>\. one arrival of a request/);
    expect(html).toMatch(/>Reconcile required<span[^>]*>\. The result is in doubt; nothing is executed/);
    expect(html).toMatch(/>No protection<span[^>]*>\. Nothing outside/);
    expect(html).toMatch(/>Fencing token<span[^>]*>\. a number that grows with every claim/);
    expect(html).toMatch(/>Lease until<span[^>]*>\. until when the owner may be believed/);
    expect(html).toMatch(/>Result unknown<span[^>]*>\. The effect may or may not/);
    const korean = render(<BodyPanels event={event} noReason={false} names={{}} />, 'ko');
    expect(korean).toMatch(/>대조필요<span[^>]*>\. /);
    expect(korean).toMatch(/>펜싱 토큰<span[^>]*>\. /);
    const arrivals = { count: 1, lastAt: '2026-11-30T00:00:19.000000Z', answer: 'CLAIMED' } as const;
    expect(page({ arrivals })).toMatch(/>Claimed<span[^>]*>\. The caller got the right/);
  });

  it('R-088p a digest says of what it is', () => {
    const html = render(<BodyPanels event={approval} noReason={false} names={{}} />);
    expect(html).toContain('Digest of what was asked for');
  });

  it('R-088v a detail that the page tells elsewhere is not told again', () => {
    const told = (names: string[]) =>
      render(<BodyPanels event={approval} noReason={false} names={{}} told={new Set(names)} />);
    expect(told([])).toContain('Amount under the new key');
    expect(told(['newAmount'])).not.toContain('Amount under the new key');
  });
});
