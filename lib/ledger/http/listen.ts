import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { guardServer } from './front-door.mjs';

/** Milliseconds for a whole request to arrive; the limit of a slow upload. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Milliseconds between two looks for requests that are too slow; Node's own 30 seconds would make the limit 40. */
const TIMEOUT_CHECK_MS = 1_000;
/** Milliseconds that connections with a running request get when the process is told to stop. */
const DRAIN_MS = 5_000;

export interface Listening {
  readonly port: number;
  /** Takes no new requests, lets the running ones end, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Serves a web-standard handler on a port of its own; port 0 takes a free one. */
export async function listen(
  handler: { fetch(request: Request): Promise<Response> },
  where: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request) => handler.fetch(request),
    hostname: where.host,
    overrideGlobalObjects: false,
    serverOptions: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  }) as Server;
  guardServer(server);
  server.listen(where.port, where.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
