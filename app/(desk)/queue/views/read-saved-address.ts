import type { ReadAddress } from '@/lib/review/views/keep-view';
import { QUEUE_PARAMETERS, readQueueAddress } from '../search-params';
import { savedAddress } from './saved-address';

/** Reads an address that is to be saved: here a parameter that the queue does not know is a fault, too. */
export function readSavedAddress(query: string): ReadAddress {
  const given = new URLSearchParams(query);
  const unknown = [...new Set(given.keys())].filter(
    (name) => !Object.hasOwn(QUEUE_PARAMETERS, name) || given.getAll(name).length > 1,
  );
  if (unknown.length > 0) return { kind: 'misread', names: unknown };
  const read = readQueueAddress(Object.fromEntries(given));
  if (read.kind === 'misread') return read;
  return { kind: 'read', address: savedAddress(read.address), tenants: read.filter.tenants };
}
