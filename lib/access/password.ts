import 'server-only';
import { hash, verify } from '@node-rs/argon2';

// OWASP's floor for argon2id: 19 MiB, two passes, one lane. Raising it rehashes each person at the next sign-in.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const ARGON2ID = 2;

/** Hashes computed at once: more than the machine's cores only makes everybody wait, and each takes 19 MiB. */
const PARALLEL = 2;
/** Callers waiting behind them; beyond it the answer is "busy" at once, so that a flood cannot pile up memory. */
const QUEUE = 64;

export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= PARALLEL) {
    if (waiting.length >= QUEUE) throw new PasswordQueueFullError('too many passwords are being checked');
    // The one who ends hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** argon2id in PHC form with its own salt; the password counts exactly as typed, to its last byte. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, { ...COST, algorithm: ARGON2ID }));
}

// Made once per process and never the hash of anything that can be typed: it only has to take the same time.
let dummy: Promise<string> | undefined;

/**
 * Whether the password fits. Without a stored hash (unknown account, no password yet) a dummy is checked and the answer is
 * no, so that both take the same time.
 */
export async function fitsPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword(crypto.randomUUID());
  const against = stored ?? (await dummy);
  const fits = await inTurn(() => verify(against, password));
  return fits && stored !== null;
}

/** True when the stored hash is cheaper than today's cost. */
export function needsRehash(stored: string): boolean {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored);
  if (!found) return true;
  return (
    Number(found[1]) < COST.memoryCost ||
    Number(found[2]) < COST.timeCost ||
    Number(found[3]) < COST.parallelism
  );
}
