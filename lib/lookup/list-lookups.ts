import type { Queryable } from '@/lib/db/pool';
import type { FieldComparison } from '@/lib/domain/compare-content';
import type { Question } from '@/lib/domain/connector-question';
import { evidenceFault, type EvidenceFault } from '@/lib/domain/evidence';
import type { Candidate, LookupErrorClass } from '@/lib/domain/lookup-finding';
import type { LookupEnding } from '@/lib/domain/lookup-schedule';
import {
  isLinkable,
  type ExternalStatus,
  type LookupOutcome,
  type Proof,
  type Verdict,
} from '@/lib/domain/lookup-verdict';

/** One kept lookup, as pages show it. Instants are Dates; `seen`, `place` and found values are text of others. */
export interface LookupShown {
  lookupId: string;
  exceptionId: string | null;
  /** Decimal string. */
  executionVersion: string;
  /** Null: a person looked; then `place` and `seen` say where and what. */
  connectorId: string | null;
  connectorVersion: number | null;
  /** With references in place of secrets. */
  question: Question | null;
  outcome: LookupOutcome;
  externalStatus: ExternalStatus | null;
  verdict: Verdict;
  resultId: string | null;
  resultUrl: string | null;
  targetSystem: string | null;
  targetAccount: string | null;
  accountMatch: boolean | null;
  contentMatch: boolean | null;
  comparison: FieldComparison[];
  matches: number | null;
  candidates: Candidate[];
  place: string | null;
  seen: string | null;
  nextPlace: string | null;
  errorClass: LookupErrorClass | null;
  nextCheckAt: Date | null;
  /** Why the run of automatic looks was over with this one; null: it was not. */
  ending: LookupEnding | null;
  /** "Not applied" counts only when checked from here on: the countdown of "confirm not applied" ends here. */
  usableFrom: Date;
  usableUntil: Date | null;
  evidenceDigest: string;
  checkedAt: Date;
  /** A person's id, or `system:worker`. */
  checkedBy: string;
  checkedByName: string | null;
  automatic: boolean;
  durationMs: number | null;
  /** Why it can carry no decision now; null when it can. The database judges again when something is decided. */
  fault: EvidenceFault | null;
  /** The result may be linked: applied, done, account and content agree, no fault. */
  linkable: boolean;
}

/** What the standing of a row depends on, besides what is shown. */
interface Standing {
  executionId: string;
  subjectKey: string;
  subjectFingerprint: string;
  subjectContentVersion: string | null;
  subjectAccount: string | null;
  presentVersion: string;
  key: string;
  fingerprint: string;
  contentVersion: string | null;
  account: string | null;
  proof: Proof;
  maxAgeSeconds: number;
  now: Date;
}
type Row = Omit<LookupShown, 'fault' | 'linkable'> & Standing;

// Index: lookups_by_execution, exception_events_by_exception. The tenant list is part of the question, so a foreign execution has no lookups.
const LIST = `
  SELECT l.lookup_id AS "lookupId", l.exception_id AS "exceptionId", l.execution_version::text AS "executionVersion",
         l.connector_id AS "connectorId", l.connector_version AS "connectorVersion", l.question, l.outcome,
         l.external_status AS "externalStatus", l.verdict, l.result_id AS "resultId", l.result_url AS "resultUrl",
         l.target_system AS "targetSystem", l.target_account AS "targetAccount", l.account_match AS "accountMatch",
         l.content_match AS "contentMatch", l.comparison, l.matches, l.candidates, l.place, l.seen,
         l.next_place AS "nextPlace", l.error_class AS "errorClass", l.next_check_at AS "nextCheckAt",
         (SELECT v.detail->>'because' FROM review.exception_events v WHERE v.exception_id = l.exception_id
            AND v.event = 'lookup_ended' AND v.detail->>'lookupId' = l.lookup_id::text LIMIT 1) AS ending,
         review.usable_from(l.execution_id, l.checked_at, l.usable_from) AS "usableFrom", l.usable_until AS "usableUntil", l.evidence_digest AS "evidenceDigest",
         l.checked_at AS "checkedAt", l.checked_by AS "checkedBy", who.display_name AS "checkedByName", l.automatic,
         l.duration_ms AS "durationMs",
         l.execution_id AS "executionId", l.subject_key AS "subjectKey", l.subject_fingerprint AS "subjectFingerprint",
         l.subject_content_version AS "subjectContentVersion", l.subject_account AS "subjectAccount",
         e.version::text AS "presentVersion", e.idempotency_key AS key, e.fingerprint,
         e.content_version AS "contentVersion", e.target_account AS account, p.proof,
         p.evidence_max_age_seconds AS "maxAgeSeconds", ledger.clock() AS now
    FROM review.lookups l
    JOIN ledger.executions e ON e.execution_id = l.execution_id
    CROSS JOIN LATERAL ledger.policy_for(e.tenant_id, e.operation) p
    LEFT JOIN review.people who ON who.person_id::text = l.checked_by
   WHERE l.execution_id = $1 AND e.tenant_id = ANY ($2)
   ORDER BY l.checked_at DESC, l.lookup_id DESC
   LIMIT $3`;

/** Far more than a run of automatic lookups makes; older evidence is stale anyhow. */
const LIMIT = 100;

/**
 * The lookups of one execution, newest first, at most 100. `tenantIds` are the reader's, from the database.
 * The newest one without fault is what a page offers ("found CRM-123, account and content agree: link").
 */
export async function listLookups(
  db: Queryable,
  executionId: string,
  tenantIds: readonly string[],
): Promise<LookupShown[]> {
  const { rows } = await db.query<Row>(LIST, [executionId, tenantIds, LIMIT]);
  return rows.map(withStanding);
}

function withStanding(row: Row): LookupShown {
  const {
    executionId,
    subjectKey,
    subjectFingerprint,
    subjectContentVersion,
    subjectAccount,
    presentVersion,
    key,
    fingerprint,
    contentVersion,
    account,
    proof,
    maxAgeSeconds,
    now,
    ...shown
  } = row;
  const evidence = {
    ...shown,
    executionId,
    key: subjectKey,
    fingerprint: subjectFingerprint,
    contentVersion: subjectContentVersion,
    account: subjectAccount,
  };
  const subject = {
    executionId,
    executionVersion: presentVersion,
    key,
    fingerprint,
    contentVersion,
    account,
  };
  const fault = evidenceFault(evidence, subject, now, maxAgeSeconds);
  // The value itself is not kept: the verdict says what it meant.
  return { ...shown, fault, linkable: fault === null && isLinkable(proof, { ...shown, valueFound: null }) };
}
