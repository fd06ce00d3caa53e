import { describe, expect, it } from 'vitest';
import { type LedgerSince } from '@/lib/domain/ledger-since';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { LedgerSincePanel } from './ledger-since-panel';

const QUIET: LedgerSince = {
  ...{ executionId: 'e1', key: 'order-4711', state: 'SUCCEEDED', stateSince: '2026-11-29T10:00:00.000000Z' },
  ...{ resultId: 'PAY-1', resultUrl: null, attempts: null, arrivals: null, looks: null, made: [] },
};
const MADE: LedgerSince = {
  ...QUIET,
  made: [
    {
      ...QUIET,
      ...{
        executionId: 'e2',
        key: 'reissue-2',
        relation: 'CORRECTION',
        madeAt: '2026-11-29T11:00:00.000000Z',
      },
      ...{ resultId: 'PAY-2', resultUrl: 'https://pay.example/PAY-2' },
      attempts: {
        ...{ count: 1, firstAt: '2026-11-29T11:00:05.000000Z', lastOwner: 'shop-worker' },
        ...{ effectAt: '2026-11-29T11:00:06.000000Z', endedAt: '2026-11-29T11:00:07.000000Z' },
      },
      arrivals: {
        ...{ count: 1, lastAt: '2026-11-29T11:00:04.000000Z', answer: 'CLAIMED', senders: ['Shop north'] },
      },
    },
  ],
};

describe('what became of the work', () => {
  it('R-088h the new execution stands first under its own name, with times, sender and result', () => {
    const html = render(<LedgerSincePanel since={MADE} />);
    const [before, after] = html.split('>Original execution, since this event');
    expect(before).toMatch(/New execution \(Correction/);
    for (const told of ['reissue-2', 'Shop north', 'shop-worker', 'PAY-2', '11:00:06', '11:00:07'])
      expect(before).toContain(told);
    expect(after).toContain('order-4711');
    expect(after).not.toContain('Shop north');
  });

  it('R-088h without one, the only execution is told as what it is', () => {
    const html = render(<LedgerSincePanel since={QUIET} />);
    expect(html).toContain('The execution, since this event');
    expect(html).not.toContain('Original execution');
  });

  it('R-088q ends with what is known outside: nobody asked, of the new key as of the original, or by which look', () => {
    const [made, own] = render(<LedgerSincePanel since={MADE} />).split('>Original execution, since');
    expect(made).toContain('Not yet asked');
    expect(own).toContain('No look at the outside system since');
    const event = auditEvent(
      9,
      {},
      { lookupId: 'L', outcome: 'FOUND', verdict: 'APPLIED', conclusive: true },
    );
    const looks = { count: 2, verdict: 'APPLIED', resultId: 'PAY-1', event } as const;
    const known = (of: Partial<LedgerSince>) =>
      render(<LedgerSincePanel since={{ ...QUIET, looks, ...of }} />);
    expect(known({})).toMatch(/Confirmed outside<.*Yes, by the last of 2 looks:.*href="\/audit\/9"/);
    for (const other of [
      { looks: { ...looks, verdict: 'UNCLEAR' } },
      { looks: { ...looks, resultId: 'PAY-7' } },
    ] as const)
      expect(known(other)).toMatch(/No\. The last of 2 looks does not show it/);
    expect(known({ state: 'UNKNOWN' })).toContain('Asked 2 times, the last:');
  });
});
