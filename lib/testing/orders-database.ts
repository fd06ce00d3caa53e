// An outside system's own database beside ours, on the same server: a table of orders, a role that only reads it, and
// others that could do more. With the connector that asks it.
import pg from 'pg';
import { asking, askConnector, type AskedLookup, type Asking } from '@/lib/lookup/ask-connector';
import type { LookupSubject } from '@/lib/lookup/lookup-subject';
import { testDatabase } from './database';
import { lookupSubject } from './lookup-subject-of';

const ORDERS = `
  CREATE TABLE orders (
    id bigint PRIMARY KEY, reference text, account text, amount numeric(12, 2), state text, refunded boolean, made timestamptz, note text);
  INSERT INTO orders VALUES
    (1, 'K-1', 'main', 120.50, 'paid', false, '2026-03-01 09:00+09', 'private'),
    (2, 'K-2', 'main', 10, 'paid', false, now(), NULL), (3, 'K-2', 'main', 10, 'paid', false, now(), NULL),
    (4, 'K-3', 'main', 10, 'paid', true, now(), NULL), (5, 'K-4', 'other', 10, 'paid', false, now(), NULL),
    (6, 'K-5', 'main', 10, 'odd', false, now(), NULL), (7, 'K-6', NULL, 10, 'paid', false, now(), repeat('x', 20000));
  CREATE TABLE secrets (id int);
  CREATE FUNCTION sell() RETURNS text LANGUAGE sql AS $$ INSERT INTO orders (id) VALUES (99) RETURNING 'sold' $$;`;

/** What each login may do beyond the others; `$role` is its name. */
const LOGINS = {
  reader: 'GRANT SELECT ON orders TO $role',
  stranger: 'GRANT SELECT ON secrets TO $role',
  writer: 'GRANT SELECT, INSERT ON orders TO $role',
  column: 'GRANT SELECT ON orders TO $role; GRANT UPDATE (note) ON orders TO $role',
  owner:
    'GRANT SELECT ON orders TO $role; CREATE TABLE own (id int); ALTER TABLE own OWNER TO $role; REVOKE ALL ON own FROM $role',
  latent: 'GRANT SELECT ON orders TO $role; ALTER ROLE $role NOINHERIT; GRANT $writer TO $role',
  maker: 'GRANT SELECT ON orders TO $role; ALTER ROLE $role CREATEROLE',
} as const;
type OrdersLogin = keyof typeof LOGINS;

export const ORDERS_RECIPE = {
  kind: 'postgres',
  system: 'shop',
  connection: '${secret:SHOP}',
  sql: 'SELECT id, reference, account, amount, state, refunded, made, note FROM orders WHERE reference = $1 ORDER BY id',
  parameters: ['{key}'],
  fields: { id: '/id', status: '/state', account: '/account' },
  content: [
    { expected: '{key}', pointer: '/reference', role: 'identifies' },
    { expected: '{display:/amount}', pointer: '/amount', match: 'numeric' },
  ],
  statusRules: [{ at: '/refunded', is: ['true'], status: 'reversed' }],
  statuses: { done: ['paid'], failed: ['rejected'] },
  notFound: { emptyList: true },
  place: 'Shop, table orders',
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
  timeoutMs: 3_000,
};

/** An execution of the shop, as a lookup needs it. */
export const orderSubject = (key: string, amount: unknown): LookupSubject =>
  lookupSubject({ system: 'shop', account: 'main', key, display: { '/amount': amount } });

export interface OrdersDatabase {
  /** Superuser in it. */
  client: pg.Client;
  /** The secret of a login, changed for one test. */
  address: (as: OrdersLogin, change?: (url: URL) => void) => string;
  /** The superuser's. */
  superuserAddress: string;
  ask: (
    about: LookupSubject,
    change?: object,
    secret?: string,
    more?: Partial<Asking>,
    allowPrivate?: boolean,
  ) => Promise<AskedLookup>;
  /** What the restricted log was told. */
  notes: { failure: string; detail: string }[];
  drop: () => Promise<void>;
}

/** What a look found, and the class of what went wrong. */
export const said = ({ finding }: AskedLookup) => [finding.outcome, finding.errorClass];

export async function ordersDatabase(): Promise<OrdersDatabase> {
  const db = await testDatabase();
  const name = `orders_${db.name}`.slice(0, 50);
  const notes: OrdersDatabase['notes'] = [];
  await db.pool('superuser').query(`CREATE DATABASE ${name}`);
  const superuser = new URL(db.superuserUrl);
  superuser.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: superuser.href });
  await client.connect();
  await client.query(ORDERS);
  for (const [login, grants] of Object.entries(LOGINS)) {
    await client.query(`CREATE ROLE ${login}_${name} LOGIN PASSWORD 'pass-${login}'`);
    await client.query(
      grants.replaceAll('$role', `${login}_${name}`).replaceAll('$writer', `writer_${name}`),
    );
  }
  const address: OrdersDatabase['address'] = (as, change) => {
    const url = new URL(superuser);
    [url.username, url.password] = [`${as}_${name}`, `pass-${as}`];
    change?.(url);
    return url.href;
  };
  return {
    client,
    address,
    superuserAddress: superuser.href,
    notes,
    ask: (about, change = {}, secret = address('reader'), more = {}, allowPrivate = true) =>
      askConnector(
        about,
        { connectorId: 'shop', version: 1, recipe: { ...ORDERS_RECIPE, ...change }, allowPrivate },
        { ...asking({ SECRET_SHOP: secret }, (event) => notes.push(event)), ...more },
      ),
    drop: async () => {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      for (const login of Object.keys(LOGINS).reverse())
        await client.query(`DROP OWNED BY ${login}_${name} CASCADE; DROP ROLE ${login}_${name}`);
      await client.end();
      await db.pool('superuser').query(`DROP DATABASE ${name} WITH (FORCE)`);
      await db.drop();
    },
  };
}
