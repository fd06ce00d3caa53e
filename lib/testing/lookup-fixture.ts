// An outside system over real HTTP that answers what a test tells it to, the connector to it, and people who may look.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TransactionContext } from '@/lib/db/transaction';
import { asking, type Asking } from '@/lib/lookup/ask-connector';
import { installConnector } from './connector-forms';
import type { TestDatabase } from './database';
import { sessionOf } from './people';
import { asActor, ledgerFixture, type Json, type LedgerFixture } from './ledger-fixture';

export const CONNECTOR = 'stub-payments';
/** What the stub expects and what no row, log or audit event may hold. */
export const SECRET = 'canary-secret-7f3a';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface LookupFixture {
  ledger: LedgerFixture;
  /** Of the stub, on this machine. */
  port: number;
  /** Addresses asked, with the authorization header as it arrived. */
  asked: { method: string; url: string; authorization: string | undefined }[];
  answer: (next: Answer) => void;
  /** Answers 200 with these payments. */
  answerItems: (...items: object[]) => void;
  /** A payment that agrees with `unknownPayment`'s execution. */
  payment: (key: string, change?: object) => object;
  /** The recipe of the stub, changed for one test. */
  connect: (change?: Json) => Promise<void>;
  /** The same for a second connector. */
  connectOther: (connectorId: string, change: Json) => Promise<void>;
  asking: Asking;
  notes: { connectorId: string; failure: string; detail: string }[];
  person: (rights?: {
    roles?: string[];
    authorities?: string[];
    tenants?: string[];
  }) => Promise<TransactionContext>;
  /** An execution in doubt, with its open exception. */
  unknownPayment: (more?: Json) => Promise<{ id: string; key: string; exceptionId: string }>;
  lookups: (executionId: string) => Promise<Json[]>;
  close: () => Promise<void>;
}

export async function lookupFixture(db: TestDatabase): Promise<LookupFixture> {
  const ledger = await ledgerFixture(db);
  const owner = db.pool('owner');
  const asked: LookupFixture['asked'] = [];
  const notes: LookupFixture['notes'] = [];
  let next: Answer = (_request, response) => response.writeHead(500).end();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, authorization: headers.authorization });
    next(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const recipe = {
    system: 'payment',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    path: 'payments',
    query: { reference: '{key}' },
    headers: { authorization: 'Bearer ${secret:STUB}' },
    items: '/items',
    fields: { id: '/id', status: '/status', account: '/account', url: '/url' },
    content: [
      { expected: '{key}', pointer: '/reference', role: 'identifies' },
      { expected: '{display:/amount}', pointer: '/amount', match: 'numeric' },
    ],
    statuses: { done: ['succeeded'], pending: ['pending'], failed: ['failed'], reversed: ['reversed'] },
    notFound: { status404: false, emptyList: true },
    place: 'Stub payments',
    visibilityDelaySeconds: 20,
    queryableSeconds: null,
    ratePerSecond: 100,
    backoffSeconds: 10,
    attempts: 4,
  };

  // Of the deployment's own: the stub is a service on this machine.
  const connectAs = (connectorId: string, change: Json) =>
    installConnector(db, { connectorId, recipe: { ...recipe, ...change }, allowPrivate: true });
  const connect = (change: Json = {}) => connectAs(CONNECTOR, change);
  await connect();
  await ledger.policy('create-payment', { connector_id: CONNECTOR, authority: 'money' });

  return {
    ledger,
    port: (server.address() as AddressInfo).port,
    asked,
    notes,
    answer: (following) => void (next = following),
    answerItems: (...items) =>
      void (next = (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))),
    payment: (key, change = {}) => ({
      id: `PAY-${key}`,
      reference: key,
      account: 'main',
      amount: 120.5,
      status: 'succeeded',
      url: `https://pay.example.com/${key}`,
      note: 'outside text that nobody named',
      ...change,
    }),
    connect,
    connectOther: connectAs,
    asking: asking({ SECRET_STUB: SECRET }, (event) => notes.push(event)),
    person: async ({ roles = ['OPERATOR'], authorities = ['money'], tenants = ['tenant-north'] } = {}) => {
      const personId = await asActor(owner, { kind: 'system', id: 'system:test' }, async (client) => {
        const email = `p-${randomUUID()}@demo.local`;
        const { rows } = await client.query<{ person_id: string }>(
          `INSERT INTO review.people (email, email_canonical, display_name, roles, authorities, tenant_ids)
           VALUES ($1, $1, 'Person', $2, $3, $4) RETURNING person_id`,
          [email, roles, authorities, tenants],
        );
        return rows[0]!.person_id;
      });
      return {
        actor: { kind: 'person', id: personId },
        requestId: `req-${randomUUID()}`,
        sourceAddress: '192.0.2.9',
        sessionId: await sessionOf(db, personId),
      };
    },
    unknownPayment: async (more = {}) => {
      const { id, token, key } = await ledger.started(undefined, {
        target: { system: 'payment', account: 'main' },
        displayFields: { '/amount': '120.50' },
        ...more,
      });
      await ledger.report('report_unknown', id, {
        fencingToken: token,
        code: 'TIMEOUT',
        message: 'no answer',
      });
      const { rows } = await owner.query<{ exception_id: string }>(
        `SELECT exception_id FROM review.exceptions WHERE execution_id = $1 AND state = 'OPEN'`,
        [id],
      );
      return { id, key, exceptionId: rows[0]!.exception_id };
    },
    lookups: async (executionId) =>
      (
        await owner.query<Json>(
          'SELECT * FROM review.lookups WHERE execution_id = $1 ORDER BY checked_at, lookup_id',
          [executionId],
        )
      ).rows,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
