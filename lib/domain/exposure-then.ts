import type { AttemptView, ExceptionView } from './exception-view';
import { exposureOf, type AtStake } from './exposure';
import { effectsNamed } from './named-results';

type Known = Pick<ExceptionView, 'execution' | 'orphan' | 'lateReports' | 'evidence' | 'attempts'>;

/** What was at stake: of an open exception now, of a settled one when it was settled, whatever was tried since. */
export function exposureThen(known: Known, settledAt: string | null): AtStake {
  const then = settledAt === null ? known : knownBy(known, settledAt);
  const found = Math.max(effectsNamed(then), ...then.evidence.map(({ matches }) => matches ?? 0));
  const later = known.attempts.length - then.attempts.length;
  return {
    exposure: exposureOf(
      startedEffects(then.attempts),
      found,
      (known.execution ?? known.orphan)?.amount ?? null,
    ),
    sinceSettled:
      settledAt === null
        ? null
        : { attempts: later, effects: startedEffects(known.attempts) - startedEffects(then.attempts) },
  };
}

function startedEffects(attempts: readonly AttemptView[]): number {
  return attempts.filter((attempt) => attempt.effectStartedAt !== null).length;
}

// Attempts and reports carry microseconds and are compared as text; looks are read to the millisecond.
function knownBy({ execution, orphan, lateReports, evidence, attempts }: Known, instant: string): Known {
  const begun = attempts.filter(({ startedAt }) => startedAt <= instant);
  const triedSince = begun.length < attempts.length;
  return {
    // A later attempt's result is no effect of then.
    execution: execution && triedSince ? { ...execution, resultId: null, reportedResultId: null } : execution,
    orphan,
    lateReports: lateReports.filter(({ receivedAt }) => receivedAt <= instant),
    evidence: evidence.filter(({ checkedAt }) => Date.parse(checkedAt) <= Date.parse(instant)),
    attempts: begun,
  };
}
