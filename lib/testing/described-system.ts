// An outside system that answers by its own published description (an OpenAPI document): what is asked of it and what it
// answers are held against that document, and every departure is kept as a fault.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { judgeBy, readDescription, type Description } from './description';

/** What a test lets the system answer: a status, its body, and headers beside the type. */
export interface SystemAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface DescribedSystem {
  /** The base address of the recipe, on this machine. */
  at: (baseUrl: string) => string;
  port: string;
  asked: URL[];
  /** What was not as the description has it, in the questions or in the answers. */
  faults: string[];
  answer: (next: (asked: URL) => SystemAnswer) => void;
  close: () => Promise<void>;
}

/** @param name of a file in lib/testing/descriptions */
export async function describedSystem(
  name: string,
  isAuthorized: (header: string) => boolean,
): Promise<DescribedSystem> {
  const { description, judge } = judgeOf(name);
  const asked: URL[] = [];
  const faults: string[] = [];
  let next: (asked: URL) => SystemAnswer = () => ({ status: 500 });
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://system');
    asked.push(url);
    const operation = judge.operation(url, request.headers);
    faults.push(...operation.faults);
    const {
      status = 200,
      body,
      headers = {},
    } = isAuthorized(request.headers.authorization ?? '')
      ? next(url)
      : { status: 401, body: operation.refusal };
    if (body !== undefined) faults.push(...judge.answer(operation.template, status, body));
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  return {
    at: (baseUrl) => {
      const { pathname, origin } = new URL(baseUrl);
      const isServer = description.servers.some(
        ({ url }) => new URL(url).host === new URL(origin).host || url.includes('your-domain'),
      );
      if (!isServer) faults.push(`${origin} is no server of the description`);
      return `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`;
    },
    port,
    asked,
    faults,
    answer: (following) => void (next = following),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const judges = new Map<string, { description: Description; judge: ReturnType<typeof judgeBy> }>();

/** Made once, with its schemas compiled: what is asked has 5 seconds to be answered, on a busy machine as well. */
function judgeOf(name: string) {
  const present = judges.get(name);
  if (present !== undefined) return present;
  const description = readDescription(name);
  const judge = judgeBy(description);
  for (const [template, { get }] of Object.entries(description.paths))
    for (const status of Object.keys(get.responses)) judge.answer(template, Number(status), {});
  const made = { description, judge };
  judges.set(name, made);
  return made;
}
