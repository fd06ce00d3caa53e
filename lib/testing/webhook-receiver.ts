// A receiver of webhooks on this machine: keeps what arrives and answers as told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Delivered {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  port: string;
  /** In the order of arrival, refused ones included. */
  arrived: Delivered[];
  /** The next answers: a status, an address to redirect to, or `lost` for a connection that ends without one. */
  answer: (next: number | string | 'lost') => void;
  close: () => Promise<void>;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const arrived: Delivered[] = [];
  let how: number | string = 204;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      arrived.push({ headers: request.headers, body });
      if (how === 'lost') request.socket.destroy();
      else if (typeof how === 'string') response.writeHead(307, { location: how }).end();
      else response.writeHead(how).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  return {
    ...{ url: `http://127.0.0.1:${port}/witness`, port, arrived },
    answer: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a receiver with this secret believes what arrived, by the library of the scheme. */
export function believes(secret: string, { headers, body }: Delivered): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
