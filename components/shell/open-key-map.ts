/** An event of the document: the map of keys is wanted, by whoever has no keys of one letter. */
export const OPEN_KEY_MAP = 'onceover-key-map';

export const openKeyMap = (): boolean => document.dispatchEvent(new Event(OPEN_KEY_MAP));
