import { describe, expect, it } from 'vitest';
import { type LifeFacts } from '@/lib/domain/life-line';
import { render } from '@/lib/testing/render';
import { LifeLine } from './life-line';

const FACTS = {
  now: '2026-11-30T00:00:00.000000Z',
  execution: {
    leaseExpiresAt: '2026-11-27T10:00:30.000000Z',
    state: 'UNKNOWN',
    stateSince: '2026-11-27T10:01:00.000000Z',
  },
  arrivals: {
    total: 3,
    shown: [
      { intakeId: 'i1', receivedAt: '2026-11-27T10:00:00.000000Z', disposition: 'CLAIMED' },
      { intakeId: 'i2', receivedAt: '2026-11-27T10:00:00.400000Z', disposition: 'DUPLICATE_HELD' },
      { intakeId: 'i3', receivedAt: '2026-11-27T10:00:00.410000Z', disposition: 'DUPLICATE_HELD' },
    ],
  },
  attempts: [
    {
      ...{ attempt: 1, owner: 'worker-7', fencingToken: '42', startedAt: '2026-11-27T10:00:00.000000Z' },
      ...{ effectStartedAt: '2026-11-27T10:00:01.000000Z', endedAt: null, outcome: null },
    },
  ],
  evidence: [
    {
      ...{ lookupId: 'l1', verdict: 'NOT_APPLIED', checkedAt: '2026-11-27T10:01:05.000Z' },
      usableFrom: '2026-11-27T10:31:00.000Z',
    },
  ],
  ...{ lateReports: [], decisions: [], requests: [], activity: [] },
  exceptions: [
    {
      ...{ exceptionId: 'x', kind: 'UNKNOWN_RESULT', openedAt: '2026-11-27T10:01:00.000000Z' },
      closedAt: null,
    },
  ],
  // Only the members that are read are made; the others stay out of the way of what is tried.
} as unknown as LifeFacts;

describe('the life line on a page', () => {
  it('R-047g is one named picture for a screen reader, with nothing inside of it to land on, and leads to the list', () => {
    const html = render(<LifeLine facts={FACTS} listId="story" />);
    expect(html).toMatch(
      /<svg role="img" aria-label="[^"]*3 arrivals, 1 attempt, 1 effect started, 1 look, no decision/,
    );
    const picture = /<svg role="img"[\s\S]*<\/svg>/.exec(html)![0];
    expect(picture).not.toMatch(/<a |tabindex|<button/);
    expect(html).toContain('href="#story"');
  });

  it('R-047g says in words what each shape means, in both languages', () => {
    const html = render(<LifeLine facts={FACTS} listId="story" />);
    const legend = html.slice(html.indexOf('<dl'));
    const words = ['Claimed', 'Duplicate held', 'Running', 'Owner believed at work', 'Past the lease'];
    for (const each of [...words, 'may exist, not settled', 'proves nothing yet', 'Unknown result'])
      expect(legend).toContain(each);
    expect(legend).not.toContain('Not applied');
    expect(render(<LifeLine facts={FACTS} listId="story" />, 'ko')).toContain('있을 수 있음, 결론 없음');
  });

  it('R-047g has a shape and a time for every mark, owner and token of each attempt, and says how long each pause was', () => {
    const html = render(<LifeLine facts={FACTS} listId="story" />);
    for (const id of ['i1', 'i2 i3', 'start-1', 'effect-1', 'l1', 'open-x'])
      expect(html).toContain(`data-life="${id}"`);
    expect(html).toContain('<title>2 × Duplicate held · 2026-11-27 10:00:00 to');
    expect(html).toContain('1 · #42 · worker-7');
    expect(html).toContain('2 d 13 h');
  });

  it('R-047g keeps an empty lane where there is room, and leaves it out where there is not', () => {
    expect(render(<LifeLine facts={FACTS} listId="story" />)).toContain('>Decisions<');
    expect(render(<LifeLine facts={FACTS} listId="story" compact />)).not.toContain('>Decisions<');
  });
});
