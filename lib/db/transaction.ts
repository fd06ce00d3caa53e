import type pg from 'pg';
import type { Pool, Queryable } from './pool';
import { isTransient, SQLSTATE, sqlstateOf } from './sqlstate';

/** Who acts in this transaction and in answer to what; triggers on desk tables and the audit chain read it. */
export interface TransactionContext {
  actor: { kind: 'person'; id: string } | { kind: 'system'; id: `system:${string}` };
  requestId: string;
  /** As seen by the trusted hop; null for jobs. */
  sourceAddress: string | null;
  /** The session in which a person acts; absent where none is. Decides whether the password has to be shown again. */
  sessionId?: string;
}

/** An open transaction. It takes statements until `work` returns or the transaction's time is over. */
export type Transaction = Queryable;

export interface TransactionOptions {
  /** Tries of the whole transaction on 40001, 40P01 and 55P03. */
  attempts?: number;
  isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
  /** Milliseconds from BEGIN until the connection is cut; statements keep their own limit below it. */
  limitMs?: number;
  /** Milliseconds to wait for a connection, where the pool's own limit is longer or missing. */
  waitMs?: number;
  /** Milliseconds from COMMIT until it counts as unanswered; asked when COMMIT is sent. Default: what is left of `limitMs`. */
  commitMs?: () => number;
}

/** COMMIT was sent and no answer came: it may have happened. The operation id settles it; never say "failed". */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The transaction ran past its limit before COMMIT was sent: nothing of it happened. */
export class TransactionTimeoutError extends Error {
  override readonly name = 'TransactionTimeoutError';
}

// The ladder: lock 2 s < statement 5 s < transaction 8 s < request 10 s.
const LOCK_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const TRANSACTION_LIMIT_MS = 8_000;
const REQUEST_LIMIT_MS = 10_000;
const ATTEMPTS = 4;
const BACKOFF_BASE_MS = 20;
const BACKOFF_CAP_MS = 250;

/**
 * Runs `work` in one transaction on one connection and commits it; any throw rolls back.
 * Repeats the whole of it on transient errors, so `work` must have no effect outside the database.
 * `context` null is for producers' calls, which are guarded by principal and token instead.
 */
export async function transaction<T>(
  pool: Pool,
  context: TransactionContext | null,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const attempts = options.attempts ?? ATTEMPTS;
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, context, work, options);
    } catch (error) {
      const spentMs = performance.now() - startedAt;
      const final = attempt >= attempts || spentMs >= REQUEST_LIMIT_MS - BACKOFF_CAP_MS;
      if (final || error instanceof OutcomeUnknownError || !isTransient(error)) throw error;
      await pause(Math.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt));
    }
  }
}

/** From here on a person acts in this transaction: whom the login has just found. */
export async function actAs(tx: Transaction, personId: string): Promise<void> {
  await tx.query(
    `select set_config('onceover.actor_kind', 'person', true), set_config('onceover.actor_id', $1, true)`,
    [personId],
  );
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Phase = 'open' | 'committing' | 'over' | 'late';

async function once<T>(
  pool: Pool,
  context: TransactionContext | null,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await connect(pool, options.waitMs);
  let phase: Phase = 'open';
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const limitMs = options.limitMs ?? TRANSACTION_LIMIT_MS;
  let giveUp: (reason: Error) => void = () => undefined;
  const late = new Promise<never>((_, reject) => (giveUp = reject));
  late.catch(() => undefined);
  // Cutting the connection is the only limit that also ends a statement in flight; without COMMIT nothing stays.
  const end = () => {
    if (phase === 'open') phase = 'late';
    broken = new TransactionTimeoutError(`transaction ran past its ${limitMs} ms`);
    cut(client);
    // Work that waits for something else than the database is not waited for.
    giveUp(broken);
  };
  let timer = setTimeout(end, limitMs);
  const current = (): Phase => phase;
  const tx: Transaction = {
    query: (text, values) => {
      if (current() !== 'open')
        return Promise.reject(broken ?? new Error('bug: statement after the end of its transaction'));
      return client.query(text, values === undefined ? undefined : [...values]);
    },
  };
  try {
    await client.query(opening(client, context, options));
    const result = await Promise.race([work(tx), late]);
    if (current() === 'late') throw broken ?? new TransactionTimeoutError('transaction ran past its limit');
    phase = 'committing';
    if (options.commitMs !== undefined) {
      clearTimeout(timer);
      timer = setTimeout(end, options.commitMs());
    }
    await commit(client);
    phase = 'over';
    return result;
  } catch (error) {
    if (current() === 'late')
      throw new TransactionTimeoutError(`transaction ran past its ${limitMs} ms`, { cause: error });
    const committing = current() === 'committing';
    phase = 'over';
    if (!committing) broken ??= await rollback(client);
    throw error;
  } finally {
    clearTimeout(timer);
    client.off('error', onError);
    client.release(broken);
  }
}

/** A connection within the time, or none at all: one that comes too late goes straight back. */
async function connect(pool: Pool, waitMs: number | undefined): Promise<pg.PoolClient> {
  if (waitMs === undefined) return pool.connect();
  const coming = pool.connect();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      coming.then(
        (client) => client.release(),
        () => undefined,
      );
      reject(new TransactionTimeoutError(`no connection came free within ${waitMs} ms`));
    }, waitMs);
  });
  return Promise.race([coming, tooLate]).finally(() => clearTimeout(timer));
}

/** One round trip: BEGIN, the limits and the context, all of them local to this transaction. */
function opening(
  client: pg.PoolClient,
  context: TransactionContext | null,
  options: TransactionOptions,
): string {
  const set = (name: string, value: string) => `set_config('${name}', ${client.escapeLiteral(value)}, true)`;
  const settings = [
    set('lock_timeout', `${LOCK_TIMEOUT_MS}ms`),
    set('statement_timeout', `${STATEMENT_TIMEOUT_MS}ms`),
    set('idle_in_transaction_session_timeout', `${TRANSACTION_LIMIT_MS}ms`),
    // Always written, so that nothing of an earlier transaction or of the role's defaults can stand in for it.
    set('onceover.actor_kind', context?.actor.kind ?? ''),
    set('onceover.actor_id', context?.actor.id ?? ''),
    set('onceover.request_id', context?.requestId ?? ''),
    set('onceover.source_address', context?.sourceAddress ?? ''),
    set('onceover.session_id', context?.sessionId ?? ''),
  ];
  return `begin isolation level ${options.isolation ?? 'READ COMMITTED'}; select ${settings.join(', ')}`;
}

async function commit(client: pg.PoolClient): Promise<void> {
  let answer: pg.QueryResult;
  try {
    answer = await client.query('commit');
  } catch (error) {
    if (isRefusedCommit(error)) throw error;
    throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });
  }
  // PostgreSQL answers COMMIT of an aborted transaction with ROLLBACK and no error.
  if (answer.command !== 'COMMIT')
    throw new Error('bug: a failed statement was swallowed, so COMMIT rolled back');
}

/** Only an error that the server itself gave to COMMIT proves that nothing was committed. */
export function isRefusedCommit(error: unknown): boolean {
  const state = sqlstateOf(error);
  if (state === undefined) return false;
  return !(
    state.startsWith('08') ||
    state.startsWith('57P') ||
    state === SQLSTATE.statementCompletionUnknown
  );
}

/** Undefined when the connection is clean again; otherwise why it must not go back to the pool. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('rollback failed', { cause: error });
  }
}

function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}
