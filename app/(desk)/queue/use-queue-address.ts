'use client';

import { useQueryStates } from 'nuqs';
import { useListTransition } from '@/components/data-table/table-address';
import { NO_QUERY, type QueueQuery } from '@/lib/domain/queue-query';
import { QUEUE_PARAMETERS, type QueueAddress } from './search-params';

const FILTERS = Object.keys(NO_QUERY) as (keyof QueueQuery)[];

/** The filters of the address alone. */
export const queryOf = (address: QueueAddress): QueueQuery =>
  // fromEntries forgets which names it was given; FILTERS are the members of QueueQuery.
  Object.fromEntries(FILTERS.map((name) => [name, address[name]])) as unknown as QueueQuery;

/** The address of the queue and a way to change it; other filters begin at the first page. */
export function useQueueAddress(): {
  address: QueueAddress;
  change: (next: Partial<QueueAddress>) => void;
} {
  const start = useListTransition();
  const [address, set] = useQueryStates(QUEUE_PARAMETERS, {
    shallow: false,
    history: 'push',
    startTransition: start,
  });
  return { address, change: (next) => void set({ ...next, cursor: null }) };
}

/** Which row is open beside the list; opening one keeps the list's page. */
export function useOpenRow(): { openId: string | null; open: (id: string | null) => void } {
  const start = useListTransition();
  const [{ open: openId }, set] = useQueryStates(
    { open: QUEUE_PARAMETERS.open },
    { shallow: false, history: 'replace', startTransition: start },
  );
  return { openId, open: (id) => void set({ open: id }) };
}
