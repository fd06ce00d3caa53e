import { type ComponentProps } from 'react';
import { describe, expect, it } from 'vitest';
import { auditContext } from '@/lib/domain/audit-story';
import { type KeptLook } from '@/lib/domain/kept-look';
import { auditEvent as event } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { BodyPanels } from './body-panels';
import { CircumstanceFacts } from './circumstance-facts';
import { EventContext } from './event-context';
import { SignedByText } from './signed-by-text';

const looked = event(1, {}, { lookupId: 'L1', evidenceDigest: 'd1' });
const linked = event(
  2,
  { event: 'decision.result_linked' },
  { evidenceId: 'L1', authoritiesThen: ['money'] },
);
const LOOK: KeptLook = {
  ...{ lookupId: 'L1', connectorId: 'payments', connectorVersion: 3, system: 'payment', digest: 'd1' },
  questionUrl: 'https://pay.example/payments?reference=order-4711',
  ...{
    accountAsked: 'north',
    accountFound: 'south',
    resultId: 'PAY-1',
    resultUrl: 'https://pay.example/p/PAY-1',
  },
  comparison: [
    { field: 'amount', expected: '120.50', found: '120.50', agrees: true },
    { field: 'payee', expected: 'Kim', found: 'Lee', agrees: false },
  ],
  checkedAt: '2026-11-30T00:00:00.000000Z',
};
const context = (more: Partial<ComponentProps<typeof EventContext>> = {}) => (
  <EventContext
    event={linked}
    context={auditContext(linked, [looked, linked])}
    noLook={false}
    originalEffect={null}
    looks={new Map([['L1', LOOK]])}
    me="x"
    names={{}}
    {...more}
  />
);

describe('the page of a decision', () => {
  it('R-086j shows where was looked, what came back with its address, how each field compared, and how old it was', () => {
    const html = render(context());
    expect(html).toContain('20 s old then');
    expect(html).toContain('reference=order-4711');
    expect(html).toContain('href="https://pay.example/p/PAY-1"');
    for (const word of [
      'north',
      'south',
      'amount',
      'payee',
      'Kim',
      'Lee',
      'differs',
      'Its digest is the one',
    ])
      expect(html).toContain(word);
    expect(render(context({ looks: new Map([['L1', { ...LOOK, digest: 'd2' }]]) }))).toContain(
      'Do not trust this',
    );
  });

  it('R-086k says that it rests on no look, and whose word the original’s effect is', () => {
    expect(render(context())).not.toContain('rests on no look');
    const html = render(context({ noLook: true, originalEffect: 'EXISTS' }));
    expect(html).toContain('rests on no look');
    expect(html).toContain('ledger’s word');
  });

  it('R-086k says that no reason was asked for or given', () => {
    const words = (noReason: boolean) => render(<BodyPanels event={linked} noReason={noReason} names={{}} />);
    expect(words(true)).toContain('No reason was asked for or given.');
    expect(words(false)).not.toContain('No reason');
  });

  it('R-086l names the approval policy by the words of the policies’ page', () => {
    const words = (approvalPolicyVersion: number, locale: 'en' | 'ko' = 'en') =>
      render(
        <BodyPanels event={event(2, {}, { approvalPolicyVersion })} noReason={false} names={{}} />,
        locale,
      );
    expect(words(0)).toMatch(/Approval policy<.*>built-in default</);
    expect(words(0, 'ko')).toContain('>기본 정책<');
    expect(words(3)).toContain('>version 3<');
  });

  it('R-086i tells the authorities of then, none of them, or that nobody recorded them', () => {
    const told = (body: object) =>
      render(
        <CircumstanceFacts
          event={event(2, {}, body)}
          tenantName={null}
          me="x"
          names={{ 'p-2': 'Bea Approver' }}
        />,
      );
    expect(told({ authoritiesThen: ['money', 'sending'] })).toContain('Money');
    expect(told({ authoritiesThen: [] })).toContain('None but the general one');
    expect(told({})).toContain('Not recorded then');
  });

  it('R-086m tells who decided and who carried it out', () => {
    const made = event(
      3,
      { event: 'reissue.executed', actorKind: 'system', actorId: 'system:worker' },
      { onBehalfOf: 'p-2' },
    );
    const html = render(
      <CircumstanceFacts event={made} tenantName={null} me="x" names={{ 'p-2': 'Bea Approver' }} />,
    );
    expect(html).toMatch(/Decided by<.*Bea Approver.*Carried out by<.*Worker/);
  });

  it('R-088l names lead to what the audit has of them, and filters are called as on the page', () => {
    const html = render(<CircumstanceFacts event={linked} tenantName={null} me="x" names={{}} />);
    expect(html).toContain('href="/audit?person=p"');
    const exported = event(4, { event: 'audit.exported' }, { filters: ['exceptionId', 'text'] });
    const korean = render(<BodyPanels event={exported} noReason={false} names={{}} />, 'ko');
    expect(korean).toContain('예외 건 · 문구');
    expect(korean).not.toContain('exceptionId');
  });

  it('R-088m says by which checkpoint it is signed, or that it is not yet', () => {
    const checkpoint = { number: '40', keyId: 'key-7', at: '2026-11-30T00:00:30.000000Z' };
    const html = render(<SignedByText checkpoint={checkpoint} />);
    for (const told of ['number 40', 'key-7', '00:00:30']) expect(html).toContain(told);
    expect(render(<SignedByText checkpoint={null} />)).toContain('Not signed yet');
  });
});
