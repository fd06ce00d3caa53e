import { sealCursor, type CursorBinding } from '@/lib/db/cursor';
import { takePage, type Page, type PagePosition } from './keyset';

/** What a page of a search of words left for the next one. */
export interface Unsearched {
  /** The last number that was looked at. */
  after: string;
  /** The cursor that goes on from there, in the page's own direction. */
  onward: string;
}

export interface WordsWalk<Row> {
  size: number;
  /** Numbers per statement. */
  stretch: bigint;
  /** Statements per page. */
  stretches: number;
  position: PagePosition | null;
  binding: CursorBinding;
  /** Towards smaller numbers. */
  down: boolean;
  first: bigint;
  last: bigint;
  /** The matches between two numbers, both included, in the walk's direction. */
  read: (stretch: readonly [bigint, bigint], most: number) => Promise<Row[]>;
}

/** Walks stretch by stretch until the page is full, the log is over, or this page has looked long enough. */
export async function walkWords<Row extends { position: string[] }>(
  walk: WordsWalk<Row>,
): Promise<Page<Row> & { unsearched: Unsearched | null }> {
  const { size, stretch, stretches, position, binding, down, first, last } = walk;
  const step = down ? -1n : 1n;
  const begin = position === null ? (down ? last : first) : BigInt(position.values[0] ?? 0) + step;
  const rows: Row[] = [];
  let at = begin;
  const inside = () => at >= first && at <= last;
  for (let walked = 0; walked < stretches && rows.length <= size && inside(); walked += 1) {
    const to = down ? at - stretch + 1n : at + stretch - 1n;
    rows.push(...(await walk.read(down ? [to, at] : [at, to], size + 1 - rows.length)));
    at = to + step;
  }
  const page = takePage(rows, size, position, binding);
  const searchedTo = rows.length > size || !inside() ? null : at - step;
  // A page without rows has no row to go back from: the number at which it began serves.
  const back = rows.length === 0 && position !== null ? begin : null;
  const seal = (direction: 'on' | 'back', number: bigint | null) =>
    number === null ? null : sealCursor([direction, `${number}`], binding);
  const ahead = seal(position?.backwards === true ? 'back' : 'on', searchedTo);
  const behind = seal(position?.backwards === true ? 'on' : 'back', back);
  return {
    rows: page.rows,
    next: (position?.backwards === true ? behind : ahead) ?? page.next,
    previous: (position?.backwards === true ? ahead : behind) ?? page.previous,
    unsearched: searchedTo === null || ahead === null ? null : { after: `${searchedTo}`, onward: ahead },
  };
}
