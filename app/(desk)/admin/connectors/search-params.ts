import { createLoader, parseAsString } from 'nuqs/server';

/** What the address of the connectors page can say. */
export const loadConnectorAddress = createLoader({ cursor: parseAsString });
