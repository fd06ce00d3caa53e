import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type SystemRequest } from './external-system';
import { parseFaultHeader, type Fault } from './fault';
import { faultRuleSchema, type FaultBoard } from './fault-board';
import { type SystemRuntime } from './system-runtime';
import { thingPage } from './thing-page';

const BODY_LIMIT_BYTES = 64 * 1024;

export interface ServeOptions {
  runtime: SystemRuntime;
  faults: FaultBoard;
  /** The API key that callers send as bearer token. */
  secret: string;
  /** From its abort on nothing arrives any more: the journal behind the runtime is about to be closed. */
  stopping: AbortSignal;
}

/** The HTTP face of one external system: bearer authentication, JSON, faults by header or by `POST /_faults`. */
export function createSystemServer(options: ServeOptions): http.Server {
  return http.createServer((request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      if (options.stopping.aborted) return void response.destroy();
      console.error(`sandbox ${options.runtime.system.name}:`, error);
      send(response, { status: 500, body: { error: 'internal', detail: 'unexpected error' } });
    });
  });
}

async function serve(options: ServeOptions, incoming: http.IncomingMessage, response: http.ServerResponse) {
  const url = new URL(incoming.url ?? '/', 'http://sandbox');
  if (url.pathname === '/health') return send(response, { status: 200, body: { status: 'ok' } });
  const page = pageFor(options.runtime, incoming, url);
  if (page !== null) return void response.writeHead(page.status, page.headers).end(page.html);
  if (!isAuthorised(incoming.headers.authorization, options.secret)) {
    return send(response, {
      status: 401,
      body: { error: 'unauthenticated', detail: 'a bearer API key is needed' },
    });
  }
  const text = await readBody(incoming);
  if (text === null)
    return send(response, { status: 413, body: { error: 'too_large', detail: '64 KiB at most' } });
  const body = parseJson(text);
  if (body === undefined)
    return send(response, { status: 400, body: { error: 'invalid_json', detail: 'not JSON' } });
  if (url.pathname === '/_faults')
    return send(response, control(options.faults, incoming.method ?? '', body));

  const { runtime } = options;
  const request: SystemRequest = {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    requestKey: header(incoming, 'idempotency-key'),
    reference: header(incoming, 'x-reference'),
    body,
  };
  const operation = runtime.find(request);
  if (operation === undefined)
    return send(response, { status: 404, body: { error: 'no_such_address', detail: url.pathname } });
  const asked = header(incoming, 'x-sandbox-fault');
  const ofCall = asked === null ? [] : parseFaultHeader(asked);
  if (ofCall === null)
    return send(response, { status: 400, body: { error: 'unknown_fault', detail: asked } });
  const reference = runtime.referenceOf(operation, request);
  const faults: Fault[] = [...ofCall, ...options.faults.take({ operation: operation.name, reference })];

  const delay = faults.reduce((sum, fault) => sum + (fault.kind === 'delay' ? fault.seconds : 0), 0);
  if (delay > 0) await sleep(delay * 1000, undefined, { ref: false, signal: options.stopping });
  options.stopping.throwIfAborted();
  const outcome = runtime.handle(operation, request, faults);
  if (outcome.answer !== null) send(response, outcome.answer);
  else if (outcome.silence === 'dropped') incoming.socket.destroy();
  // Otherwise the connection stays open and silent until the caller or the shutdown ends it.
}

/** A browser without a key that follows the link of one thing; everything else is the API's, and closed. */
function pageFor(runtime: SystemRuntime, incoming: http.IncomingMessage, url: URL) {
  const { accept = '', authorization } = incoming.headers;
  if (incoming.method !== 'GET' || authorization !== undefined || !accept.includes('text/html')) return null;
  const id = /^\/[a-z]+\/([A-Z]{3}-[0-9A-Z]{1,40})$/.exec(url.pathname)?.[1];
  const answer = id === undefined ? null : runtime.readThing(url.pathname);
  return id === undefined || answer === null ? null : thingPage(runtime.system.name, id, answer);
}

function control(faults: FaultBoard, method: string, body: unknown): Answer {
  if (method === 'GET') return { status: 200, body: { items: faults.list() } };
  if (method === 'DELETE') {
    faults.clear();
    return { status: 200, body: { items: [] } };
  }
  const rule = faultRuleSchema.safeParse(body);
  if (method !== 'POST' || !rule.success) {
    return {
      status: 422,
      body: { error: 'invalid_request', detail: rule.error?.issues[0]?.message ?? 'use POST' },
    };
  }
  faults.add(rule.data);
  return { status: 201, body: rule.data };
}

function isAuthorised(authorization: string | undefined, secret: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const wanted = Buffer.from(`Bearer ${secret}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function header(incoming: http.IncomingMessage, name: string): string | null {
  const value = incoming.headers[name];
  return typeof value === 'string' ? value : null;
}

/** The body as text, or null when it is over the limit. */
async function readBody(incoming: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** null for an empty body, undefined for a broken one. */
function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function send(response: http.ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    // A kept connection that we close while a caller reuses it would look like one more fault than was asked for.
    connection: 'close',
    ...answer.headers,
  });
  response.end(JSON.stringify(answer.body));
}
