import { Socket } from 'node:net';
import pg from 'pg';
import { columnsOf, type PostgresConnector } from '@/lib/domain/connector-postgres';
import type { QuestionSubject, SqlQuestion } from '@/lib/domain/connector-question';
import { judgeList, withAbsentId } from '@/lib/domain/lookup-answer';
import { emptyFinding, type LookupErrorClass } from '@/lib/domain/lookup-finding';
import type { Proof } from '@/lib/domain/lookup-verdict';
import { isAddressLiteral, outsideUrlFault } from '@/lib/domain/outside-address';
import type { Asked } from './ask-http';
import { checkedAddress, codeOf, LimitError, resolveAll, within, type Resolve } from './checked-address';
import type { DatabaseAddress } from './secrets';

export interface PostgresAsking {
  connector: PostgresConnector;
  address: DatabaseAddress;
  question: SqlQuestion;
  proof: Proof;
  subject: QuestionSubject;
  allowLoopback: boolean;
  resolve: Resolve | undefined;
}

/** Characters of one value; a longer one is no reference, amount or state, and counts as not there. */
const LONGEST_CELL = 10_000;
/** Of everything that the server sends, whatever it claims to be. */
const MAX_BYTES = 4_194_304;

type Row = Record<string, string | null>;

/**
 * One SELECT, in a read-only transaction that is rolled back, by a role that was seen to have nothing to write.
 * The address is guarded as by HTTP; other machines are asked by verified TLS alone. Never throws for anything that the
 * other side does.
 */
export async function askPostgres(asking: PostgresAsking): Promise<Asked> {
  const { connector, address } = asking;
  const startedAt = performance.now();
  const limit = AbortSignal.timeout(connector.timeoutMs);
  const socket = new Socket();
  const guard = setInterval(() => {
    if (socket.bytesRead > MAX_BYTES) socket.destroy(new Error('too large'));
  }, 10);
  const stop = () => socket.destroy();
  limit.addEventListener('abort', stop, { once: true });
  const done = (errorClass: LookupErrorClass, detail: string): Asked => ({
    finding: emptyFinding(SILENT.has(errorClass) ? 'INACCESSIBLE' : 'INCONCLUSIVE', errorClass),
    tookMs: performance.now() - startedAt,
    retryAfterSeconds: null,
    failure: { failure: errorClass, detail },
  });
  try {
    // The same judgement as of a web address, TLS included: other machines count as asked by https.
    const fault = outsideUrlFault(`https://${address.host}`, { allowLoopback: asking.allowLoopback });
    if (fault !== null) return done('UNREACHABLE', `address refused: ${fault}`);
    const { address: host } = await within(limit, checkedAddress(address.host, asking.resolve ?? resolveAll));
    const client = new pg.Client({
      ...address,
      host,
      ssl: tlsOf(address.host),
      stream: () => socket,
      ...QUIET,
    });
    // Errors reach the query that waits; without a listener a later one would end the process.
    client.on('error', () => undefined);
    await within(limit, client.connect());
    const answer = await within(limit, ask(client, asking));
    if ('writable' in answer) return done('ROLE_CAN_WRITE', answer.writable);
    const isWhole = answer.rows.length <= connector.rowLimit;
    const judged = judgeList(answer.rows, isWhole, connector, asking.proof, asking.subject);
    const finding = withAbsentId(judged, connector, asking.proof, asking.subject);
    return { finding, tookMs: performance.now() - startedAt, retryAfterSeconds: null, failure: null };
  } catch (error) {
    if (error instanceof LimitError) return done(error.failure, error.message);
    const code = codeOf(error);
    return done(limit.aborted ? 'UNREACHABLE' : classOf(code), limit.aborted ? 'time limit' : code);
  } finally {
    clearInterval(guard);
    limit.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** Nothing of our own environment goes along. */
const QUIET = {
  application_name: 'onceover',
  keepAlive: false,
  options: '-c client_min_messages=error',
} as const;

function tlsOf(hostname: string): false | { rejectUnauthorized: true; servername?: string } {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (/^localhost\.?$/.test(hostname) || /^(?:127\.|::1$)/.test(literal)) return false;
  return isAddressLiteral(hostname)
    ? { rejectUnauthorized: true }
    : { rejectUnauthorized: true, servername: hostname };
}

async function ask(
  client: pg.Client,
  { connector, question }: PostgresAsking,
): Promise<{ rows: Row[] } | { writable: string }> {
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await client.query(SETTINGS, [String(connector.timeoutMs)]);
  const { rows: rights } = await client.query<{ writable: string | null }>(WHAT_IT_COULD_WRITE);
  const writable = rights[0] === undefined ? 'a role that is not there' : rights[0].writable;
  if (writable !== null) return { writable };
  const { rows } = await client.query<Row>({
    text: wrapped(connector, question.sql),
    values: question.parameters,
    queryMode: 'extended',
  } as pg.QueryConfig);
  return { rows: rows.map(withoutLong) };
}

const SETTINGS = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
  set_config('DateStyle', 'ISO', true), set_config('TimeZone', 'UTC', true), set_config('IntervalStyle', 'iso_8601', true)`;

/**
 * What this login, or a role that it may take on, could change; null when nothing. Its own tables count too, and so does
 * every right that reaches further than a table.
 */
const WHAT_IT_COULD_WRITE = `
  WITH held AS (
    SELECT r.* FROM pg_catalog.pg_roles r WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
  )
  SELECT coalesce(
    (SELECT 'as ' || rolname FROM held
      WHERE rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication
         OR rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend') LIMIT 1),
    (SELECT n.nspname || '.' || c.relname
       FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace CROSS JOIN held h
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        AND n.nspname !~ '^pg_(toast|temp)'
        AND (pg_catalog.has_table_privilege(h.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
             OR pg_catalog.has_any_column_privilege(h.oid, c.oid, 'INSERT, UPDATE') OR c.relowner = h.oid) LIMIT 1)
  ) AS writable`;

/** Only the columns that the recipe names leave the database, as text, and one row more than it may have. */
function wrapped(connector: PostgresConnector, sql: string): string {
  const columns = columnsOf(connector).map(
    (name) => `left(asked."${name}"::text, ${LONGEST_CELL + 1}) AS "${name}"`,
  );
  return `SELECT ${columns.join(', ')} FROM (${sql}\n) AS asked LIMIT ${connector.rowLimit + 1}`;
}

function withoutLong(row: Row): Row {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    value !== null && value.length > LONGEST_CELL ? null : value,
  ]);
  return Object.fromEntries(cells) as Row;
}

const SILENT: ReadonlySet<LookupErrorClass> = new Set(['UNREACHABLE', 'NO_PERMISSION', 'SERVER_ERROR']);

/** What a SQLSTATE, or a fault on the way, says to people. */
function classOf(code: string): LookupErrorClass {
  if (!/^[0-9A-Z]{5}$/.test(code)) return 'UNREACHABLE';
  if (code === '42501' || code.startsWith('28')) return 'NO_PERMISSION';
  // Cancelled by the time limit.
  if (code === '57014' || code === '55P03') return 'UNREACHABLE';
  // Out of places, shutting down, faults of its own.
  if (/^(?:53|57|58|XX|08)/.test(code)) return 'SERVER_ERROR';
  return 'QUERY_FAILED';
}
