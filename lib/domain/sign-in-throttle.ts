/** Failed sign-ins counted from one point of view, within the window and since its last success. */
export interface Failures {
  readonly count: number;
  /** Seconds since the latest of them; by the database's clock. */
  readonly secondsSinceLast: number;
}

/** The three points of view. One account from one source is the attacker or the owner with a forgotten password. */
export interface SignInHistory {
  readonly pair: Failures;
  /** The account from every source. */
  readonly account: Failures;
  /** Every account from the source: a spray of one password over many names. */
  readonly source: Failures;
  /** The account signed in from this source lately: then strangers' failures elsewhere do not slow its owner. */
  readonly sourceKnown: boolean;
}

interface Rule {
  /** Failures before the first delay. */
  readonly free: number;
  /** Seconds; delays double from 2 s up to this and stay there: nobody is ever locked out. */
  readonly cap: number;
}

/** Seconds for which failures count: then the window ends by itself. */
export const WINDOW_SECONDS = 900;
/** Days for which a source stays known to an account. */
export const KNOWN_SOURCE_DAYS = 30;

const PAIR: Rule = { free: 5, cap: 60 };
const ACCOUNT: Rule = { free: 10, cap: 30 };
// High enough that one person's mistyping does not slow the colleagues behind the same address.
const SOURCE: Rule = { free: 40, cap: 60 };

/** Whole seconds to wait before the next attempt is looked at; 0 when it may go on now. */
export function secondsToWait(history: SignInHistory): number {
  const waits = [wait(history.pair, PAIR), wait(history.source, SOURCE)];
  if (!history.sourceKnown) waits.push(wait(history.account, ACCOUNT));
  return Math.max(0, ...waits);
}

function wait(failures: Failures, rule: Rule): number {
  if (failures.count < rule.free) return 0;
  const delay = Math.min(rule.cap, 2 ** Math.min(failures.count - rule.free + 1, 16));
  return Math.ceil(delay - failures.secondsSinceLast);
}
