import { describe, expect, it } from 'vitest';
import { type LedgerSince } from '@/lib/domain/ledger-since';
import { auditEvent } from '@/lib/testing/audit-event';
import { render } from '@/lib/testing/render';
import { AfterPanel } from './after-panel';
import { LedgerSinceFacts } from './ledger-since-facts';

const QUIET: LedgerSince = {
  ...{ executionId: 'e1', key: 'order-4711', state: 'SUCCEEDED', stateSince: '2026-11-29T10:00:00.000000Z' },
  endedAs: null,
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

const act = auditEvent(
  8,
  { executionId: 'e1', event: 'decision.not_applied_confirmed' },
  { stakeAmount: '500' },
);
const amounts = new Map([['e2', { value: '60000', currency: 'KRW' }]]);
const facts = (since: LedgerSince, before: typeof act | null = null) => (
  <LedgerSinceFacts since={since} event={act} {...{ before, amounts }} />
);

describe('what became of the work', () => {
  it('R-088h the new execution stands first under its own name, with times, sender and result', () => {
    const html = render(facts(MADE));
    const [before, after] = html.split('>Original execution, since this event');
    expect(before).toMatch(/New execution \(Correction/);
    for (const told of ['reissue-2', 'Shop north', 'shop-worker', 'PAY-2', '11:00:06', '11:00:07'])
      expect(before).toContain(told);
    expect(after).toContain('order-4711');
    expect(after).not.toContain('Shop north');
  });

  it('R-088ac says of arrivals what one is, and of the answer to the last what it means', () => {
    const html = render(facts(MADE));
    expect(html).toMatch(/>Arrivals<span[^>]*>\. one arrival of a request/);
    expect(html).toMatch(/Claimed<\/span><\/span><span[^>]*>\. The caller got the right to execute the key/);
  });

  it('R-088h without one, the only execution is told as what it is', () => {
    const html = render(facts(QUIET));
    expect(html).toContain('The execution, since this event');
    expect(html).not.toContain('Original execution');
  });

  it('R-088q ends with what is known outside: nobody asked, of the new key as of the original, or by which look', () => {
    const [made, own] = render(facts(MADE)).split('>Original execution, since');
    expect(made).toContain('Not yet asked');
    expect(own).toContain('Nobody has looked at the outside system since');
    const event = auditEvent(
      9,
      {},
      { lookupId: 'L', outcome: 'FOUND', verdict: 'APPLIED', conclusive: true },
    );
    const looks = { count: 2, verdict: 'APPLIED', resultId: 'PAY-1', event } as const;
    const known = (of: Partial<LedgerSince>) => render(facts({ ...QUIET, looks, ...of }));
    expect(known({})).toMatch(
      /Confirmed outside since this event<.*Yes, by the last of 2 looks:.*href="\/audit\/9"/,
    );
    for (const other of [
      { looks: { ...looks, verdict: 'UNCLEAR' } },
      { looks: { ...looks, resultId: 'PAY-7' } },
    ] as const)
      expect(known(other)).toMatch(/No\. The last of 2 looks does not show it/);
    expect(known({ state: 'UNKNOWN' })).toContain('Asked 2 times, the last:');
  });

  it('R-088w says since when, what was looked at before, and what the new effect is worth', () => {
    const looked = auditEvent(
      7,
      { executionId: 'e1' },
      { lookupId: 'L', outcome: 'FOUND', verdict: 'APPLIED' },
    );
    const html = render(facts(MADE, looked));
    expect(html).toMatch(/New execution.*Amount<.*₩60,000.*Original execution, since this event.*00:00:20/);
    expect(html).toMatch(/Looked at outside before this event<.*href="\/audit\/7"/);
    expect(render(facts(QUIET))).toContain('Nobody had looked');
  });

  it('R-088w later events, the ledger and the outside stand in one place, also where nothing was recorded since', () => {
    const panel = (after: (typeof act)[]) =>
      render(
        <AfterPanel event={act} story={[act, ...after]} after={after} since={QUIET} me="x" names={{}} />,
      );
    expect(panel([])).toMatch(
      /What happened after<.*In the ledger since then.*500.*No audit event of this work was recorded later/,
    );
    const later = auditEvent(9, { executionId: 'e1' }, { lookupId: 'L', verdict: 'APPLIED' });
    expect(panel([later])).toMatch(/What happened after<.*In the ledger since then.*href="\/audit\/9"/);
  });

  it('R-088ah an expired record says first how its execution ended, and how many effects are known', () => {
    const expired: LedgerSince = {
      ...QUIET,
      ...{ state: 'EXPIRED', endedAs: { state: 'SUCCEEDED', at: '2026-11-29T09:30:00.000000Z' } },
    };
    expect(render(facts(expired))).toMatch(/Ended as .*Succeeded.*09:30:00.*Record expired.*10:00:00/);
    expect(render(facts(expired))).toMatch(/Effects known now<.*>1, by the ledger or by the last look</);
    expect(render(facts({ ...QUIET, state: 'UNKNOWN' }))).toMatch(/Effects known now<.*>None known</);
  });
});
