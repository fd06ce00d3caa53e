import http from 'node:http';

export interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method?: string;
  /** Sent as it is: no client of ours tidies it up. */
  path: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string;
  /** The address of this machine to send from; any of 127.0.0.0/8. */
  from?: string;
}

/** One request on a connection of its own; follows no redirect. */
export function rawRequest(origin: string, request: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const { method = 'GET', path, headers = {}, body, from } = request;
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      method,
      path,
      headers,
      agent: false,
      ...(from ? { localAddress: from } : {}),
    };
    const sent = http.request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The router's requests are sent on once, to an address that names them; what a page answers comes after. */
export async function routerRequest(origin: string, request: RawRequest): Promise<RawAnswer> {
  const answer = await rawRequest(origin, request);
  const { pathname, search } = new URL(String(answer.headers.location ?? '/login'), origin);
  return pathname === '/login' ? answer : rawRequest(origin, { ...request, path: pathname + search });
}
