import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCursor } from '@/lib/db/cursor';
import { walkWords } from './audit-words-walk';
import type { PagePosition } from './keyset';

process.env['FIELD_HASH_KEY'] = 'a key of the test';
const BINDING = ['test'];

interface Log {
  last: number;
  matches: number[];
  size: number;
  stretch: number;
  stretches: number;
  descending: boolean;
}

const logs: fc.Arbitrary<Log> = fc.integer({ min: 0, max: 120 }).chain((last) =>
  fc.record({
    last: fc.constant(last),
    matches: fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, last) }), { maxLength: last }),
    size: fc.integer({ min: 1, max: 9 }),
    stretch: fc.integer({ min: 1, max: 30 }),
    stretches: fc.integer({ min: 1, max: 4 }),
    descending: fc.boolean(),
  }),
);

function positionOf(cursor: string | null): PagePosition | null {
  if (cursor === null) return null;
  const [direction, value] = openCursor(cursor, BINDING) ?? [];
  return { backwards: direction === 'back', values: [String(value)] };
}

async function pageAt({ last, matches, size, stretch, stretches, descending }: Log, cursor: string | null) {
  const position = positionOf(cursor);
  const down = descending !== (position?.backwards ?? false);
  let read = 0;
  const page = await walkWords({
    ...{
      size,
      stretch: BigInt(stretch),
      stretches,
      position,
      binding: BINDING,
      down,
      first: 1n,
      last: BigInt(last),
    },
    read: (between, most) => {
      read += 1;
      const inside = matches.filter((number) => number >= between[0] && number <= between[1]);
      const ordered = inside.sort((left, right) => (down ? right - left : left - right)).slice(0, most);
      return Promise.resolve(ordered.map((number) => ({ number, position: [String(number)] })));
    },
  });
  expect(read).toBeLessThanOrEqual(stretches);
  return page;
}

describe('a search of words', () => {
  it('R-088g finds each match once, in order, page by page there and back, however short its stretches', () =>
    fc.assert(
      fc.asyncProperty(logs, async (log) => {
        const all = log.matches
          .filter((number) => number <= log.last)
          .sort((left, right) => (log.descending ? right - left : left - right));
        const there: number[] = [];
        let page = await pageAt(log, null);
        for (;;) {
          there.push(...page.rows.map(({ number }) => number));
          expect(page.unsearched?.onward ?? page.next).toBe(page.next);
          if (page.next === null) break;
          page = await pageAt(log, page.next);
        }
        expect(there).toEqual(all);

        const back: number[] = page.rows.map(({ number }) => number);
        while (page.previous !== null) {
          page = await pageAt(log, page.previous);
          back.unshift(...page.rows.map(({ number }) => number));
        }
        expect(back).toEqual(all);
      }),
    ));
});
