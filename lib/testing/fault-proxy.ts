// A TCP proxy before PostgreSQL that loses what a network loses.
import net from 'node:net';

export interface FaultProxy {
  readonly port: number;
  /**
   * Lets the next statement that holds `marker` reach the server, and cuts both sides before its answer comes back.
   * @param forGood no connection gets through from then on, until `cut(false)`
   */
  dropAnswerTo(marker: string, forGood?: boolean): void;
  /** Cuts both sides before the next statement that holds `marker` reaches the server. */
  dropStatement(marker: string): void;
  /** Lets the next statement that holds `marker` reach the server and cuts the client off while the server is at work. */
  abandon(marker: string): void;
  /** Lets the next statement that holds `marker` reach the server, and passes nothing on from then. */
  withholdAnswerTo(marker: string): void;
  /** Refuses new connections and cuts the present ones; `false` lets them in again. */
  cut(on: boolean): void;
  /** Faults that really happened. */
  readonly struck: string[];
  close(): Promise<void>;
}

type Fault = 'answer' | 'statement' | 'abandoned' | 'withheld';

export async function faultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const sockets = new Set<net.Socket>();
  const struck: string[] = [];
  let armed: { marker: Buffer; fault: Fault; forGood: boolean } | null = null;
  const arm =
    (fault: Fault) =>
    (marker: string, forGood = false) =>
      void (armed = { marker: Buffer.from(marker), fault, forGood });
  let isCut = false;

  const server = net.createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = net.connect(target);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    let suffered: Fault | null = null;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        if (suffered !== 'abandoned') end();
      });
    }
    client.on('data', (chunk: Buffer) => {
      if (armed !== null && chunk.includes(armed.marker)) {
        const { fault, marker, forGood } = armed;
        isCut = forGood;
        armed = null;
        suffered = fault;
        struck.push(`${fault} ${marker.toString()}`);
        if (fault === 'statement') return end();
        if (fault === 'abandoned') client.destroy();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (suffered === null) return void client.write(chunk);
      // The server has answered, so the statement is done and, in autocommit, committed.
      if (suffered !== 'withheld') end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    struck,
    dropAnswerTo: arm('answer'),
    dropStatement: arm('statement'),
    abandon: arm('abandoned'),
    withholdAnswerTo: arm('withheld'),
    cut: (on) => {
      isCut = on;
      if (on) for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** The same address through the proxy. */
export function throughProxy(url: string, proxy: FaultProxy): string {
  const address = new URL(url);
  address.host = `127.0.0.1:${proxy.port}`;
  return address.href;
}
