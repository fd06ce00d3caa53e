import { describe, expect, it } from 'vitest';
import { lookEventsOf } from '@/lib/domain/audit-story';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { BodyPanels } from './body-panels';

const LOOK = '0199aaaa-0000-7000-8000-0000000000d1';
const looked = auditEvent(
  41,
  { occurredAt: '2026-11-30T23:45:17.000000Z' },
  { lookupId: LOOK, outcome: 'FOUND', verdict: 'APPLIED', conclusive: true },
);
const refused = auditEvent(40, { outcome: 'refused' }, { lookupId: LOOK });
const page = (body: object, event = 'decision.result_linked', locale: 'en' | 'ko' = 'en') =>
  render(
    <BodyPanels
      event={auditEvent(42, { event }, body)}
      noReason={false}
      names={{}}
      lookEvents={lookEventsOf([looked, refused])}
    />,
    locale,
  );

describe('a look that an event names', () => {
  it.each(['evidenceId', 'shownEvidenceId', 'lookupId', 'newEvidenceId'])(
    'R-088o R-088ag as %s it leads to its event and says its number, when it was and what it found',
    (name) => {
      expect(page({ [name]: LOOK })).toMatch(
        /href="\/audit\/41"[^>]*>Look no\. 41 of <time.*23:45:17.*<\/time>: Found, Applied<\/a>/,
      );
    },
  );

  it('R-088o one that the story does not tell of stays the id that it is', () => {
    const html = page({ evidenceId: '0199aaaa-0000-7000-8000-0000000000d2' });
    expect(html).toContain('0000000000d2');
    expect(html).not.toContain('href="/audit/');
  });

  it('R-088o that none was shown is said, and nothing where nobody recorded it', () => {
    expect(page({ shownEvidenceId: null })).toMatch(/Look shown then<.*No look was shown/);
    expect(page({ shownEvidenceId: null }, 'reissue.requested', 'ko')).toContain('표시된 조회 없음');
    expect(page({ evidenceId: LOOK })).not.toContain('No look was shown');
    expect(page({ shownEvidenceId: LOOK })).not.toContain('No look was shown');
  });

  it('R-088o a link without an amount says so, and not an event from before amounts were recorded', () => {
    expect(page({ authoritiesThen: [] })).toMatch(/Value at stake<.*No amount/);
    expect(page({ authoritiesThen: [], stakeAmount: '120.50' })).not.toContain('No amount');
    expect(page({})).not.toContain('No amount');
  });
});
