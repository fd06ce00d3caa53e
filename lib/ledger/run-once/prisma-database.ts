import { isRefusedCommit, OutcomeUnknownError, TransactionTimeoutError } from '@/lib/db/transaction';
import { cutAfterMs, type Bounds, type OpenTransaction, type RunOnceDatabase } from './database';
import { StatementGate } from './statement-gate';

/** What we need of the transaction client that Prisma hands out; any generated client has it. */
interface PrismaTransaction {
  $queryRaw<T = unknown>(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<T>;
}

type IsolationLevel = 'ReadCommitted' | 'RepeatableRead' | 'Serializable';

/** What we need of a client of Prisma 7 over `@prisma/adapter-pg`. */
export interface PrismaLike<Tx> {
  $transaction<T>(
    work: (tx: Tx) => Promise<T>,
    options?: { maxWait?: number; timeout?: number; isolationLevel?: IsolationLevel },
  ): Promise<T>;
  $extends: unknown;
}

type Extend<Tx> = (extension: {
  query: {
    $allOperations(operation: { args: unknown; query: (args: unknown) => Promise<unknown> }): unknown;
  };
}) => PrismaLike<Tx>;

const LEVELS = {
  'READ COMMITTED': 'ReadCommitted',
  'REPEATABLE READ': 'RepeatableRead',
  SERIALIZABLE: 'Serializable',
} as const satisfies Record<Bounds['isolation'], IsolationLevel>;

/** Milliseconds by which Prisma's own timer is later than ours: when it strikes first, late rows can stay committed. */
const BEHIND_US_MS = 60_000;
/** Milliseconds for a session to end itself. */
const ENDING_MS = 500;

/**
 * The program's own Prisma client, logged in as a SQL producer. The work gets the transaction client only (B-13).
 * At the end of the time the session is ended at the server: Prisma by itself would give its connection back while a
 * nested write goes on, and the rest of that write would be committed alone (B-14).
 */
export function prismaDatabase<Tx extends PrismaTransaction>(prisma: PrismaLike<Tx>): RunOnceDatabase<Tx> {
  return { transaction: (bounds, inside) => inTransaction(prisma, bounds, inside) };
}

type Phase = 'waiting' | 'open' | 'committing' | 'late';

async function inTransaction<Tx extends PrismaTransaction, T>(
  prisma: PrismaLike<Tx>,
  bounds: Bounds,
  inside: (open: OpenTransaction<Tx>) => Promise<T>,
): Promise<T> {
  const gate = new StatementGate();
  // Its type is made of the program's own schema; only the hook below is used, which every client has.
  const guarded = (prisma as { $extends: Extend<Tx> }).$extends({
    query: { $allOperations: ({ args, query }) => gate.pass(() => query(args), textOf(args)) },
  });
  let phase: Phase = 'waiting';
  const current = (): Phase => phase;
  let live: Tx | undefined;
  const alarm = new Alarm(cutAfterMs(bounds), async () => {
    if (current() === 'committing') return new OutcomeUnknownError('no answer to COMMIT');
    phase = 'late';
    if (live !== undefined) await endSession(gate, live);
    return new TransactionTimeoutError('transaction ran past its time');
  });

  const running = guarded.$transaction(
    async (tx) => {
      if (current() === 'late') throw new TransactionTimeoutError('the connection came too late');
      phase = 'open';
      live = tx;
      const result = await Promise.race([
        inside({
          sql: async (text, ...values) => gate.admit(() => tx.$queryRaw(text, ...values)),
          run: (work) => gate.during(() => work(tx)),
        }),
        alarm.rung,
      ]);
      phase = 'committing';
      alarm.set(bounds.commitMs());
      return result;
    },
    {
      maxWait: Math.max(1, bounds.msLeft()),
      timeout: cutAfterMs(bounds) + BEHIND_US_MS,
      isolationLevel: LEVELS[bounds.isolation],
    },
  );
  try {
    return await Promise.race([running, alarm.rung]);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw error;
    if (current() === 'committing' && !isRefusedCommit(error))
      throw new OutcomeUnknownError('no answer to COMMIT', { cause: error });
    if (current() === 'waiting' && isNoConnection(error))
      throw new TransactionTimeoutError('no connection came free in time', { cause: error });
    throw error;
  } finally {
    alarm.stop();
    running.catch(() => undefined);
  }
}

/** The text of a raw statement: tagged, or as the first of its arguments. Other operations have no text of the work's. */
function textOf(args: unknown): string | null {
  const given: unknown = Array.isArray(args) ? args[0] : args;
  if (typeof given === 'string') return given;
  const isTagged = typeof given === 'object' && given !== null && 'strings' in given;
  return isTagged && Array.isArray(given.strings) ? given.strings.join(' ') : null;
}

/** Prisma's code for its transaction API; before the work has begun it means that `maxWait` is over. */
const isNoConnection = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'P2028';

/** By the connection itself, so that it works with a pool of one; a role may always end its own sessions. */
async function endSession(gate: StatementGate, tx: PrismaTransaction): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const ended = gate.admit(() => tx.$queryRaw`select pg_terminate_backend(pg_backend_pid())`);
  await Promise.race([
    ended.then(
      () => undefined,
      () => undefined,
    ),
    new Promise((resolve) => (timer = setTimeout(resolve, ENDING_MS))),
  ]);
  clearTimeout(timer);
}

/** A promise that rejects at a time which can be moved. */
class Alarm {
  readonly rung: Promise<never>;
  private ring: (reason: Error) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    milliseconds: number,
    private readonly reason: () => Promise<Error>,
  ) {
    this.rung = new Promise<never>((_, reject) => (this.ring = reject));
    this.rung.catch(() => undefined);
    this.set(milliseconds);
  }

  set(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.reason().then(this.ring), milliseconds);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
