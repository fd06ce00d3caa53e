/** The SQLSTATE codes that our code acts on, by name. Source: PostgreSQL 18 manual, appendix A. */
export const SQLSTATE = {
  serializationFailure: '40001',
  statementCompletionUnknown: '40003',
  idleInTransactionTimeout: '25P03',
  transactionTimeout: '25P04',
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  adminShutdown: '57P01',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
  notNullViolation: '23502',
  insufficientPrivilege: '42501',
  tooManyConnections: '53300',
} as const;

const TRANSIENT: ReadonlySet<string> = new Set([
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  SQLSTATE.lockNotAvailable,
]);

const FORM = /^[0-9A-Z]{5}$/;
// A cause chain is a few links long; the bound only guards against a cycle.
const MAX_LINKS = 32;

type Link = Record<string, unknown>;

/** Every object reachable from an error by the ways in which pg, adapter-pg and Prisma nest their causes. */
function* chain(error: unknown): Generator<Link> {
  const pending: unknown[] = [error];
  for (let seen = 0; pending.length > 0 && seen < MAX_LINKS; seen += 1) {
    const next = pending.shift();
    if (typeof next !== 'object' || next === null) continue;
    const link = next as Link;
    yield link;
    const meta = link['meta'] as Link | undefined;
    pending.push(meta?.['driverAdapterError'], link['cause']);
    if (Array.isArray(link['errors'])) pending.push(...(link['errors'] as unknown[]));
  }
}

function textOf(link: Link, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = link[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/**
 * The SQLSTATE anywhere in the cause chain of an error thrown by pg or Prisma; undefined when the database said nothing.
 * `originalCode` is where adapter-pg keeps it; Prisma's own `P2034` has the same form and is left out by its letter.
 */
export function sqlstateOf(error: unknown): string | undefined {
  for (const link of chain(error)) {
    const code = textOf(link, 'originalCode') ?? textOf(link, 'code');
    if (code !== undefined && FORM.test(code) && !/^P[1-6]/.test(code) && !/^E[A-Z]{4}$/.test(code))
      return code;
  }
  return undefined;
}

/** The violated constraint's name, where the database named one. */
export function constraintOf(error: unknown): string | undefined {
  for (const link of chain(error)) {
    const direct = link['constraint'];
    if (typeof direct === 'string') return direct;
    if (typeof direct === 'object' && direct !== null) {
      const name = textOf(direct as Link, 'index', 'name');
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

/** True when the same transaction, run again from its beginning, may succeed. */
export function isTransient(error: unknown): boolean {
  for (const link of chain(error)) {
    const code = textOf(link, 'originalCode') ?? textOf(link, 'code');
    if (code !== undefined && TRANSIENT.has(code)) return true;
  }
  return false;
}

/** True when the database could not be reached or broke the connection: class 08, a shutdown, or no answer at all. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlstateOf(error);
  if (state !== undefined) {
    return state.startsWith('08') || state.startsWith('57P') || state === SQLSTATE.tooManyConnections;
  }
  for (const link of chain(error)) {
    const code = textOf(link, 'code');
    if (code !== undefined && /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND)/.test(code)) return true;
    const kind = textOf(link, 'kind');
    if (kind !== undefined && ADAPTER_KINDS.has(kind)) return true;
    const message = textOf(link, 'message');
    if (message !== undefined && CONNECTION_WORDS.test(message)) return true;
  }
  return false;
}

// adapter-pg's words for a socket that failed; the code of the socket is not kept.
const ADAPTER_KINDS: ReadonlySet<string> = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
]);

// pg reports these without any code.
const CONNECTION_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;
