import { createLoader, parseAsString } from 'nuqs/server';

/** What the address of the policies page can say. */
export const loadPolicyAddress = createLoader({ cursor: parseAsString });
