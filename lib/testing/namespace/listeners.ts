// Who was called: listeners that count, on the ports that an address without one means and on a few others.
import { once } from 'node:events';
import { createServer } from 'node:net';

export const PORTS = [80, 443, 5432, 8080] as const;

/** Counts the connections to each address, with what came first over them. */
export async function listenOn(
  addresses: readonly string[],
  answer: string,
): Promise<{ hits: () => string[] }> {
  const hits: string[] = [];
  for (const address of addresses) {
    for (const port of PORTS) {
      const server = createServer((socket) => {
        hits.push(`${address} ${port}`);
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(answer));
      });
      server.listen(port, address);
      await once(server, 'listening');
    }
  }
  return { hits: () => hits.splice(0) };
}
