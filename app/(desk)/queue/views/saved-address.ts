import { writeQueueAddress, type QueueAddress } from '../search-params';

/** What a view keeps of an address: neither words searched for nor a place in the list, nor how tall its rows were. */
export const savedAddress = (address: QueueAddress): string =>
  writeQueueAddress({ ...address, q: null, cursor: null, open: null, density: null });
