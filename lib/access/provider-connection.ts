import 'server-only';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** Milliseconds for everything that one request of ours asks of the provider; somebody waits for it. */
const TIME = 5_000;
/** Bytes of one answer as they come in, headers included; such answers have a few thousand. */
const MAX_BYTES = 262_144;

/** Which agent connects to an address. */
export type Connections = (address: URL) => http.Agent;

/**
 * Connections for one request of ours: each is cut when its answer grows too long, and all of them when the time is over.
 * The bound is in the connection, so that it holds for whoever reads: openid-client collects answers of any length.
 */
export function boundedConnections(): Connections {
  const limit = AbortSignal.timeout(TIME);
  const plain = bounded(new http.Agent(), limit);
  const secure = bounded(new https.Agent(), limit);
  return ({ protocol }) => (protocol === 'https:' ? secure : plain);
}

/** The text at an address of the provider. Not by `fetch`: Next wraps it, and reads on behind a reader that has stopped. */
export async function readAtProvider(address: URL): Promise<string> {
  const { get } = address.protocol === 'https:' ? https : http;
  const request = get(address, {
    agent: boundedConnections()(address),
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) {
    request.destroy();
    throw new Error(`status ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function bounded<T extends http.Agent>(agent: T, limit: AbortSignal): T {
  // Node documents it for exactly this; its types leave it out.
  const open = agent as unknown as { createConnection: (...asked: unknown[]) => Socket };
  const connect = open.createConnection.bind(agent);
  open.createConnection = (...asked) => {
    const socket = connect(...asked);
    const cut = () => socket.destroy();
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) cut();
    });
    limit.addEventListener('abort', cut);
    socket.once('close', () => limit.removeEventListener('abort', cut));
    if (limit.aborted) cut();
    return socket;
  };
  return agent;
}
