// The producer API on a real socket over a cloned database, with two tenants and a principal per token.
import http from 'node:http';
import net from 'node:net';
import pino from 'pino';
import { makePool, type Pool } from '@/lib/db/pool';
import { listen } from '@/lib/ledger/http/listen';
import { createProducerApi } from '@/lib/ledger/http/producer-api';
import type { ProducerApiOptions } from '@/lib/ledger/http/context';
import { makeProducerToken } from '@/lib/ledger/producer-token';
import { testDatabase, type TestDatabase } from './database';
import { asActor } from './ledger-fixture';

/** Two principals share a tenant, the third is in another one. */
const PRINCIPALS = { north: 'tenant-north', northTwo: 'tenant-north', south: 'tenant-south' } as const;

export type PrincipalName = keyof typeof PRINCIPALS;

export interface ApiAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when there is none or it is not JSON. */
  readonly body: Record<string, unknown>;
}

interface ApiRequest {
  readonly method?: string;
  readonly path: string;
  readonly as?: PrincipalName;
  readonly token?: string | null;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

interface Started {
  readonly executionId: string;
  readonly fencingToken: string;
}

export interface ProducerApiUnderTest {
  readonly db: TestDatabase;
  readonly pool: Pool;
  readonly url: string;
  readonly port: number;
  readonly tokens: Readonly<Record<PrincipalName, string>>;
  /** Every line that the API logged, parsed. */
  readonly logged: Record<string, unknown>[];
  send(request: ApiRequest): Promise<ApiAnswer>;
  /** The handler itself, without a socket: for tests that ask it very often. */
  handle(request: Request): Promise<Response>;
  /** A claim of operation `refund.create` as `north`. */
  claim(key: string, members?: Record<string, unknown>, request?: Partial<ApiRequest>): Promise<ApiAnswer>;
  report(
    executionId: unknown,
    verb: string,
    body: Record<string, unknown>,
    request?: Partial<ApiRequest>,
  ): Promise<ApiAnswer>;
  /** Claims and announces the effect. */
  started(key: string, members?: Record<string, unknown>): Promise<Started>;
  /** Claims, announces and completes with a result of its own. */
  succeeded(
    key: string,
    report?: Record<string, unknown>,
    members?: Record<string, unknown>,
  ): Promise<Started>;
  /** Dispositions of all arrivals with the key, in their order. */
  intakes(key: string | null): Promise<string[]>;
  execution(key: string): Promise<Record<string, unknown> | undefined>;
  /** Writes bytes to a socket and gives all that comes back; `ends`: nothing more is to come from this side. */
  raw(bytes: string | Uint8Array, options?: { ends?: boolean }): Promise<string>;
  makeToken(principal: string, columns?: { operations?: string[]; expiresAt?: string }): Promise<string>;
  policy(operation: string, version: number, columns: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

export async function producerApiUnderTest(
  options: Partial<ProducerApiOptions> = {},
): Promise<ProducerApiUnderTest> {
  process.env['FIELD_HASH_KEY'] ??= 'a field hash key of the tests, 32 bytes or more';
  const db = await testDatabase();
  const owner = db.pool('owner');
  await asActor(owner, { kind: 'system', id: 'system:test' }, async (client) => {
    for (const tenantId of new Set(Object.values(PRINCIPALS))) {
      await client.query('insert into review.tenants (tenant_id, display_name) values ($1, $1)', [tenantId]);
    }
  });
  for (const [principal, tenant] of Object.entries(PRINCIPALS)) {
    await owner.query(
      'insert into ledger.principals (principal_id, tenant_id, display_name) values ($1, $2, $1)',
      [principal, tenant],
    );
  }
  const makeToken: ProducerApiUnderTest['makeToken'] = async (principal, columns = {}) => {
    const { token, prefix, digest } = makeProducerToken();
    await owner.query(
      'insert into ledger.producer_tokens (principal_id, prefix, digest, operations, expires_at) values ($1, $2, $3, $4, $5)',
      [principal, prefix, digest, columns.operations ?? null, columns.expiresAt ?? null],
    );
    return token;
  };
  const tokens = {
    north: await makeToken('north'),
    northTwo: await makeToken('northTwo'),
    south: await makeToken('south'),
  };

  const pool = makePool({ connectionString: db.appUrl, name: 'producers', max: 10 });
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const secret = new TextEncoder().encode('field hash key of the tests');
  const api = createProducerApi({ pool: () => pool, fieldHashKey: () => secret, log, ...options });
  const server = await listen(api, { host: '127.0.0.1', port: 0 });
  const { port } = server;

  const send: ProducerApiUnderTest['send'] = (request) => sendRequest(port, tokens, request);
  const claim: ProducerApiUnderTest['claim'] = (key, members = {}, request = {}) =>
    send({
      method: 'POST',
      path: '/executions',
      key,
      body: { operation: 'refund.create', requestId: 'request-1', payload: { amount: 100 }, ...members },
      ...request,
    });
  const report: ProducerApiUnderTest['report'] = (executionId, verb, body, request = {}) =>
    send({ method: 'POST', path: `/executions/${String(executionId)}/${verb}`, body, ...request });
  const started: ProducerApiUnderTest['started'] = async (key, members) => {
    const { executionId, fencingToken } = okay(await claim(key, members), 201) as unknown as Started;
    okay(await report(executionId, 'effect-started', { fencingToken }), 200);
    return { executionId, fencingToken };
  };
  const succeeded: ProducerApiUnderTest['succeeded'] = async (key, body = {}, members) => {
    const { executionId, fencingToken } = await started(key, members);
    const answer = okay(
      await report(executionId, 'complete', { fencingToken, resultId: `result of ${key}`, ...body }),
      200,
    );
    if (answer['state'] !== 'SUCCEEDED') throw new Error(`not succeeded: ${JSON.stringify(answer)}`);
    return { executionId, fencingToken };
  };
  return {
    db,
    pool,
    claim,
    report,
    started,
    succeeded,
    url: `http://127.0.0.1:${port}`,
    port,
    tokens,
    logged,
    send,
    handle: (request) => api.fetch(request),
    makeToken,
    intakes: async (key) => {
      const { rows } = await owner.query<{ disposition: string }>(
        'select disposition from ledger.intakes where idempotency_key is not distinct from $1 order by received_at, intake_id',
        [key],
      );
      return rows.map((row) => row.disposition);
    },
    execution: async (key) => {
      const { rows } = await owner.query<Record<string, unknown>>(
        'select * from ledger.executions where idempotency_key = $1',
        [key],
      );
      if (rows.length > 1) throw new Error(`several executions have the key ${key}`);
      return rows[0];
    },
    raw: (bytes, { ends = false } = {}) => rawExchange(port, bytes, ends),
    policy: async (operation, version, columns) => {
      const names = Object.keys(columns);
      await owner.query(
        'update ledger.operation_policies set retired_at = now() where tenant_id = $1 and operation = $2 and retired_at is null',
        ['tenant-north', operation],
      );
      await owner.query(
        `insert into ledger.operation_policies (tenant_id, operation, version, created_by${names.map((name) => `, ${name}`).join('')})
         values ('tenant-north', $1, $2, 'system:test'${names.map((_, index) => `, $${index + 3}`).join('')})`,
        [operation, version, ...Object.values(columns)],
      );
    },
    close: async () => {
      await server.close();
      await pool.end();
      await db.drop();
    },
  };
}

function sendRequest(
  port: number,
  tokens: Record<PrincipalName, string>,
  request: ApiRequest,
): Promise<ApiAnswer> {
  const { method = 'GET', path, as = 'north', token = tokens[as], key, headers = {}, body } = request;
  const bytes =
    body === undefined
      ? undefined
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.from(body)
        : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: `/api/v1${path}`,
        agent: false,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...(bytes === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function okay(answer: ApiAnswer, status: number): Record<string, unknown> {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function rawExchange(port: number, bytes: string | Uint8Array, ends: boolean): Promise<string> {
  const sent = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      ends ? socket.end(sent) : socket.write(sent),
    );
    socket.once('end', () => socket.end());
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
