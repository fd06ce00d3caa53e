import { type QueueTab } from '@/lib/review/count-facets';
import { type QueueAddress } from './search-params';

/** What each part of the queue is in the address; it takes the others' place. */
export const TABS = {
  all: { assignee: null, due: null, hold: null },
  mine: { assignee: 'me', due: null, hold: null },
  unowned: { assignee: 'none', due: null, hold: null },
  overdue: { assignee: null, due: 'overdue', hold: null },
  held: { assignee: null, due: null, hold: 'yes' },
} as const satisfies Record<QueueTab, Partial<QueueAddress>>;

/** The tab that says all of what the address has about owner, due time and hold; null where no tab does. */
export const tabOf = ({ assignee, due, hold }: QueueAddress): QueueTab | null =>
  // Object.keys tells names as plain strings; these are the record's own.
  (Object.keys(TABS) as QueueTab[]).find((tab) => {
    const of = TABS[tab];
    return of.assignee === assignee && of.due === due && of.hold === hold;
  }) ?? null;
