import type { ExternalStatus, Finding, Proof, Verdict } from './lookup-verdict';

/** The instants that bound when "not there" proves something. Seconds unless a Date. */
export interface HorizonInput {
  createdAt: Date;
  /** Earliest start of an effect over all attempts; null when none was ever started. */
  firstEffectStartedAt: Date | null;
  /** Latest instant at which any attempt is known to have been at work. */
  lastActivityAt: Date | null;
  leaseExpiresAt: Date | null;
  /** How much longer than its lease an owner may still be sending. */
  graceSeconds: number;
  /** How long the outside system may take to show what it has accepted. */
  visibilityDelaySeconds: number;
  /** How long the outside system keeps results queryable; null for ever. */
  queryableSeconds: number | null;
}

/** A question asked in `usableFrom <= asked <= usableUntil` and answered with "nothing" is proof of absence. */
export interface Horizon {
  usableFrom: Date;
  /** Null when the outside system keeps its results for ever. */
  usableUntil: Date | null;
}

/**
 * The negative-proof horizon: the latest possible arrival of a request under way, plus the visibility delay.
 * It ends when the earliest possible effect may already have left the outside system's memory.
 */
export function negativeProofHorizon(input: HorizonInput): Horizon {
  const leaseOver = input.leaseExpiresAt === null ? null : after(input.leaseExpiresAt, input.graceSeconds);
  const lastActivity = input.lastActivityAt === null ? null : after(input.lastActivityAt, input.graceSeconds);
  const latestArrival = latest([input.createdAt, leaseOver, lastActivity]);
  // One millisecond more: JavaScript dates have dropped the database's microseconds.
  const usableFrom = new Date(after(latestArrival, input.visibilityDelaySeconds).getTime() + 1);
  const earliestEffect = input.firstEffectStartedAt ?? input.createdAt;
  const usableUntil = input.queryableSeconds === null ? null : after(earliestEffect, input.queryableSeconds);
  return { usableFrom, usableUntil };
}

function after(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

function latest(instants: readonly (Date | null)[]): Date {
  return new Date(Math.max(...instants.map((each) => each?.getTime() ?? Number.NEGATIVE_INFINITY)));
}

/** What evidence is about; another version, key, account or content makes it somebody else's. */
export interface EvidenceSubject {
  executionId: string;
  /** Decimal string: the row version is a bigint. */
  executionVersion: string;
  key: string;
  fingerprint: string;
  contentVersion: string | null;
  /** The account that the execution is aimed at. */
  account: string | null;
}

/** One kept lookup, as far as its standing depends on it. */
export interface Evidence extends EvidenceSubject {
  verdict: Verdict;
  /** When the question was asked, by the database's clock: what happened later is not in the answer. */
  checkedAt: Date;
  usableFrom: Date;
  /** Null unless the evidence rests on nothing being there and the system forgets. */
  usableUntil: Date | null;
}

/** Why evidence cannot carry a decision. */
export type EvidenceFault =
  'WRONG_SUBJECT' | 'NOT_YET_CHECKED' | 'STALE' | 'BEFORE_HORIZON' | 'NO_LONGER_QUERYABLE';

/**
 * Null when the evidence can carry a decision about the subject now, else the first fault.
 * For pages: where decisions are made, `review.evidence_refusal` judges the same in SQL; a test holds the two together.
 */
export function evidenceFault(
  evidence: Evidence,
  subject: EvidenceSubject,
  now: Date,
  maxAgeSeconds: number,
): EvidenceFault | null {
  if (SUBJECT_MEMBERS.some((member) => evidence[member] !== subject[member])) return 'WRONG_SUBJECT';
  if (evidence.checkedAt > now) return 'NOT_YET_CHECKED';
  if (after(evidence.checkedAt, maxAgeSeconds) < now) return 'STALE';
  if (evidence.verdict === 'NOT_APPLIED' && evidence.checkedAt < evidence.usableFrom) return 'BEFORE_HORIZON';
  return evidence.usableUntil !== null && evidence.usableUntil <= now ? 'NO_LONGER_QUERYABLE' : null;
}

const SUBJECT_MEMBERS = [
  'executionId',
  'executionVersion',
  'key',
  'fingerprint',
  'contentVersion',
  'account',
] as const satisfies readonly (keyof EvidenceSubject)[];

/** The finding that a person's verdict stands for, so that manual evidence reads like any other. */
export function findingOfVerdict(proof: Proof, verdict: Verdict): Finding {
  const found = (externalStatus: ExternalStatus, valueFound: Finding['valueFound'] = null): Finding => ({
    outcome: 'FOUND',
    externalStatus,
    valueFound: proof === 'VALUE' ? valueFound : null,
  });
  const nothing: Finding = { outcome: 'NOT_FOUND', externalStatus: null, valueFound: null };
  switch (verdict) {
    case 'APPLIED':
      return proof === 'ABSENCE' ? nothing : found('done', 'WANTED');
    case 'NOT_APPLIED':
      return proof === 'PRESENCE' ? nothing : found('done', 'BEFORE');
    case 'UNDER_WAY':
      return found('pending');
    case 'UNCLEAR':
      return { outcome: 'INCONCLUSIVE', externalStatus: null, valueFound: null };
    default: {
      const impossible: never = verdict;
      throw new Error(`bug: unknown verdict ${String(impossible)}`);
    }
  }
}
