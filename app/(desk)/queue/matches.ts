import type { Matches } from '@/components/bulk/all-matches';
import type { ExceptionCounts } from '@/lib/review/count-exceptions';
import { writeQueueAddress, type QueueAddress } from './search-params';

/** All that the address' filter finds, as far as it was counted; null where it was not. */
export function matchesOf(address: QueueAddress, counts: ExceptionCounts | null): Matches | null {
  if (counts === null) return null;
  const kinds = address.kind ?? [];
  const parts = kinds.length === 0 ? [counts.total] : kinds.map((kind) => counts.byKind[kind]);
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    more: parts.some(({ more }) => more),
    address: writeQueueAddress({
      ...address,
      cursor: null,
      sort: null,
      density: null,
      columns: null,
      open: null,
    }),
  };
}
