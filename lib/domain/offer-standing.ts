import {
  isAgreed,
  isUndone,
  judgeEvidence,
  twoSources,
  type EvidenceJudgement,
  type LookupStanding,
} from './decision-evidence';
import type { Proof } from './lookup-verdict';
import type { RefusalCode } from './refusals';
import type { ExecutionState } from './states';

/** Why something can't be done now; all null: it can. */
export interface Standing {
  readonly refusal: RefusalCode | null;
  /** When waiting alone takes the refusal away. */
  readonly opensAt: string | null;
  /** The evidence says the right thing but is too old: sending it looks once more first. */
  readonly lookAgain: boolean;
  readonly evidenceId: string | null;
}

export const FREE: Standing = { refusal: null, opensAt: null, lookAgain: false, evidenceId: null };

export const refused = (refusal: RefusalCode): Standing => ({ ...FREE, refusal });

/** What a decision on evidence is judged by. */
export interface StandsOn {
  readonly policy: {
    readonly evidenceMaxAgeSeconds: number;
    readonly resultIdRequired: boolean;
    readonly proof: Proof;
    readonly hasConnector: boolean;
  };
  readonly execution: {
    readonly version: string;
    readonly state: ExecutionState;
    readonly superseded: boolean;
    readonly resultId: string | null;
    /** It may be claimed once more without anybody's doing. */
    readonly attemptsLeft: boolean;
  } | null;
  /** Newest first. */
  readonly lookups: readonly LookupStanding[];
  readonly now: Date;
}

/** A person's look that stands against the system's "not applied". */
export function contraryLook({
  lookups,
  execution,
}: {
  readonly lookups: readonly LookupStanding[];
  readonly execution: { readonly version: string } | null;
}): LookupStanding | null {
  return twoSources(lookups, execution?.version ?? '').contrary;
}

/** It did not happen, or it happened and was undone outside: nothing of it stands. */
export function shownNoEffect(subject: StandsOn): Standing {
  const sources = twoSources(subject.lookups, subject.execution?.version ?? '');
  if (sources.decisive === null || !isUndone(sources, subject.policy.proof))
    return evidenceStanding(subject, 'NOT_APPLIED');
  const until = Date.parse(sources.decisive.checkedAt) + subject.policy.evidenceMaxAgeSeconds * 1000;
  const tooOld = until < subject.now.getTime();
  const lookAgain = tooOld && subject.policy.hasConnector;
  const refusal = tooOld && !lookAgain ? 'EVIDENCE_STALE' : null;
  return { refusal, opensAt: null, lookAgain, evidenceId: sources.decisive.lookupId };
}

export function linkStanding(subject: StandsOn): Standing {
  const { standing, judged } = judge(subject, 'APPLIED');
  if (standing.refusal !== null || judged.lookup === null) return standing;
  const { resultId } = judged.lookup;
  const present = subject.execution?.resultId ?? null;
  if (!isAgreed(judged.lookup)) return { ...standing, refusal: 'EVIDENCE_DOES_NOT_MATCH' };
  if (resultId === null && subject.policy.resultIdRequired)
    return { ...standing, refusal: 'RESULT_ID_MISSING' };
  if (present !== null && resultId !== null && present !== resultId)
    return { ...standing, refusal: 'OTHER_RESULT_LINKED' };
  return standing;
}

export function evidenceStanding(subject: StandsOn, wanted: 'APPLIED' | 'NOT_APPLIED'): Standing {
  return judge(subject, wanted).standing;
}

function judge(
  subject: StandsOn,
  wanted: 'APPLIED' | 'NOT_APPLIED',
): { standing: Standing; judged: EvidenceJudgement } {
  const judged = judgeEvidence(
    subject.lookups,
    subject.execution?.version ?? '',
    wanted,
    subject.now,
    subject.policy.evidenceMaxAgeSeconds,
  );
  const tooOld =
    judged.refusal === 'EVIDENCE_STALE' || (judged.refusal === 'HORIZON_NOT_OVER' && judged.opensAt === null);
  // The system would show again that it has nothing: what two people saw, people look at again.
  const { witness } = twoSources(subject.lookups, subject.execution?.version ?? '');
  const lookAgain = tooOld && subject.policy.hasConnector && witness === null;
  const standing: Standing = {
    refusal: lookAgain ? null : judged.refusal,
    opensAt: judged.opensAt,
    lookAgain,
    evidenceId: judged.lookup?.lookupId ?? null,
  };
  return { standing, judged };
}
