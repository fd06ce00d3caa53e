import { createLoader, parseAsString } from 'nuqs/server';

/** What the address of the policies page can say. */
export const loadPolicyAddress = createLoader({ cursor: parseAsString });

/** Which operation a page is about, and which two sayings of its history it compares. */
export const loadOperationAddress = createLoader({
  tenant: parseAsString.withDefault(''),
  operation: parseAsString.withDefault(''),
  from: parseAsString,
  to: parseAsString,
});
