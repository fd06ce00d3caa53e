// Failpoints of a chaos process: named places at which it is killed or stopped. They exist in the suite's own programs
// only, wrapped around the product's code; nothing of them is in what is built for production.
import pg from 'pg';
import type { Point, Strike } from './plan';

export interface Arm extends Strike {
  readonly point: Point;
  /** Strikes at the how-manieth passage; counted from 1. */
  readonly hit: number;
}

/** Child to parent, right before the signal: what is about to happen. */
export interface StruckMessage extends Strike {
  readonly struck: Point;
  /** The errand that it belonged to, at an automation. */
  readonly errand: string | null;
}

export class Points {
  private armed: { arm: Arm; left: number }[] = [];

  constructor(arms: readonly Arm[] = []) {
    this.arm(arms);
  }

  arm(arms: readonly Arm[]): void {
    this.armed.push(...arms.map((arm) => ({ arm, left: arm.hit })));
  }

  get idle(): boolean {
    return this.armed.length === 0;
  }

  /** Returns at once, later, or never. */
  async pass(point: Point): Promise<void> {
    for (const each of this.armed.filter(({ arm }) => arm.point === point)) each.left -= 1;
    const due = this.armed.find(({ left }) => left <= 0);
    if (due === undefined) return;
    this.armed = this.armed.filter((each) => each !== due);
    await strike(point, due.arm, null);
  }
}

export async function strike(point: Point, { action, ms }: Strike, errand: string | null): Promise<void> {
  const message: StruckMessage = { struck: point, errand, action, ms };
  // The parent must know before the signal comes: it wakes the stopped and counts the killed.
  await new Promise<void>((resolve) => process.send?.(message, () => resolve()));
  process.kill(process.pid, action === 'KILL' ? 'SIGKILL' : 'SIGSTOP');
  if (action === 'KILL') await new Promise(() => undefined);
}

/** The job library polls all the time; only the product's own statements count as passages. */
const OWN_STATEMENT = /ledger\.|review\.|\bcommit\b/i;

type Callback = (error: Error | null, result?: unknown) => void;
type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Puts `statement.sending` and `statement.answered` around every statement of this process. */
export function watchStatements(points: Points): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    if (points.idle || text === undefined || !OWN_STATEMENT.test(text)) return original.apply(this, args);
    const last = args.at(-1);
    const callback = typeof last === 'function' ? (args.pop() as Callback) : null;
    const done = points
      .pass('statement.sending')
      .then(() => original.apply(this, args))
      .then(async (result) => {
        await points.pass('statement.answered');
        return result;
      });
    if (callback === null) return done;
    done.then(
      (result) => callback(null, result),
      (error: Error) => callback(error),
    );
    return undefined;
  };
}
