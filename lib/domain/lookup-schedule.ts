import type { Horizon } from './evidence';
import type { Finding, Verdict } from './lookup-verdict';

/** Limits of the automatic lookups of one exception; part of the connector. */
export interface LookupLimits {
  /** Automatic lookups per exception, the first included. */
  attempts: number;
  /** Seconds before the second lookup; doubles from there. */
  backoffSeconds: number;
}

/** Why a run of automatic lookups is over. */
export type LookupEnding = 'CONCLUSIVE' | 'NEEDS_PERSON' | 'ATTEMPTS_SPENT' | 'NO_LONGER_QUERYABLE';

export type NextLookup = { again: true; at: Date } | { again: false; because: LookupEnding };

export interface LookupMade {
  finding: Finding;
  verdict: Verdict;
  askedAt: Date;
  /** Automatic lookups of this exception so far, this one included. */
  made: number;
  /** Those of them that were asked after the horizon. */
  madeSinceHorizon: number;
  /** Seconds that the outside system asked us to stay away; null when it did not. */
  retryAfterSeconds: number | null;
}

/** Seconds; a longer silence would outlast most people's wait for evidence. */
const LONGEST_WAIT_SECONDS = 900;
/** Seconds over which questions that wait for one horizon are spread. */
const SPREAD_SECONDS = 1;

/**
 * Whether and when to ask again by itself. Keeps asking while the effect is under way, the system is out of
 * reach, or "not there" proves nothing yet. Half of the tries are kept for the time after the horizon, where waits begin
 * anew: that is when silence can be overcome by proof.
 *
 * @param chance a number in [0, 1) that spreads equal waits
 */
export function nextLookup(
  lookup: LookupMade,
  horizon: Horizon,
  limits: LookupLimits,
  now: Date,
  chance: number,
): NextLookup {
  const ending = endingOf(lookup, horizon);
  if (ending !== null) return { again: false, because: ending };
  if (lookup.made >= limits.attempts) return { again: false, because: 'ATTEMPTS_SPENT' };
  const at = waitUntil(lookup, horizon, limits, now, chance);
  if (horizon.usableUntil !== null && at > horizon.usableUntil)
    return { again: false, because: 'NO_LONGER_QUERYABLE' };
  return { again: true, at };
}

function endingOf({ finding, verdict, askedAt }: LookupMade, horizon: Horizon): LookupEnding | null {
  if (verdict === 'APPLIED') return 'CONCLUSIVE';
  if (verdict === 'NOT_APPLIED') {
    return askedAt < horizon.usableFrom ? null : 'CONCLUSIVE';
  }
  if (verdict === 'UNDER_WAY') return null;
  if (finding.outcome === 'MULTIPLE') return 'NEEDS_PERSON';
  // Something else is there. Ours may still arrive beside it, until the horizon.
  if (finding.outcome === 'MISMATCH') return askedAt < horizon.usableFrom ? null : 'NEEDS_PERSON';
  // A word that the connector does not list may still turn into one that it does; a known dead end does not.
  return finding.outcome === 'FOUND' && finding.externalStatus !== null ? 'NEEDS_PERSON' : null;
}

function waitUntil(
  lookup: LookupMade,
  horizon: Horizon,
  limits: LookupLimits,
  now: Date,
  chance: number,
): Date {
  const earlier = (lookup.madeSinceHorizon || lookup.made) - 1;
  const doubled = Math.min(LONGEST_WAIT_SECONDS, limits.backoffSeconds * 2 ** earlier);
  const asked = Math.min(LONGEST_WAIT_SECONDS, lookup.retryAfterSeconds ?? 0);
  const backoff = seconds(now, Math.max(asked, doubled * (0.5 + chance / 2)));
  const horizonTry = seconds(horizon.usableFrom, chance * SPREAD_SECONDS);
  if (now >= horizon.usableFrom) return backoff;
  const kept = Math.max(1, Math.floor(limits.attempts / 2));
  const isSpent = limits.attempts - lookup.made <= kept;
  const tooFar = backoff > horizonTry && asked === 0;
  return (isSpent && backoff < horizonTry) || tooFar ? horizonTry : backoff;
}

function seconds(from: Date, count: number): Date {
  return new Date(from.getTime() + count * 1000);
}
