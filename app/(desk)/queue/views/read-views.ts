import { type QueueView } from '@/lib/domain/queue-view';
import { readSavedAddress } from './read-saved-address';
import { type ReadView } from './views-props';

/** Each view with what the queue does not understand of it any more. Opened, it is refused by these names. */
export const readViews = (views: readonly QueueView[] | null): ReadView[] | null =>
  views?.map((view) => {
    const read = readSavedAddress(view.address);
    return { ...view, misread: read.kind === 'misread' ? [...read.names] : [] };
  }) ?? null;
