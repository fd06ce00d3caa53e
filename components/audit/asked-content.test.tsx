import { describe, expect, it } from 'vitest';
import { type ConflictView } from '@/lib/domain/exception-view';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { AskedContent } from './asked-content';
import { BodyPanels } from './body-panels';

const CONFLICT: ConflictView = {
  intake: {
    ...{ intakeId: 'i', executionId: 'e', receivedAt: '2026-11-30T00:00:00.000000Z', requestId: 'REQ-9' },
    ...{ disposition: 'CONTENT_CONFLICT', traceId: null, key: 'order-1', contentVersion: null },
    ...{ targetSystem: null, targetAccount: null, fingerprint: 'f', via: 'FUNCTION' },
  },
  conflictingFields: ['/amount', '/payee'],
  differences: [
    { field: '/amount', differs: true, stored: '120.50', arrived: '125.00' },
    { field: '/payee', differs: true, stored: undefined, arrived: undefined },
  ],
};
const request = auditEvent(7, { event: 'reissue.requested' }, { before: { version: 4, state: 'SUCCEEDED' } });
const approval = auditEvent(8, { event: 'reissue.approved' }, { digest: 'sha256:aa' });

describe('what was seen of a correction', () => {
  it('R-088p the page of request and approval tells which named fields change, from what to what, of which version', () => {
    for (const props of [
      { event: request, request: null },
      { event: approval, request },
    ]) {
      const html = render(<AskedContent conflict={CONFLICT} {...props} />);
      expect(html).toMatch(/amount.*120\.50.*125\.00.*payee.*kept as a hash only/);
      expect(html).toContain('about version 4 of the execution');
    }
    expect(render(<AskedContent conflict={CONFLICT} event={approval} request={null} />)).not.toContain(
      'about version',
    );
  });

  it('R-088p a digest says of what it is', () => {
    const html = render(<BodyPanels event={approval} noReason={false} names={{}} />);
    expect(html).toContain('Digest of what was asked for');
  });
});
