import type { Queryable } from '@/lib/db/pool';
import type { FieldComparison } from '@/lib/domain/compare-content';
import { evidenceFault, type EvidenceFault } from '@/lib/domain/evidence';
import type { Candidate, LookupErrorClass } from '@/lib/domain/lookup-finding';
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
  question: { method: 'GET'; url: string; headers: Record<string, string> } | null;
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

interface Row {
  execution_id: string;
  lookup_id: string;
  exception_id: string | null;
  execution_version: string;
  subject_key: string;
  subject_fingerprint: string;
  subject_content_version: string | null;
  subject_account: string | null;
  connector_id: string | null;
  connector_version: number | null;
  question: LookupShown['question'];
  outcome: LookupOutcome;
  external_status: ExternalStatus | null;
  verdict: Verdict;
  result_id: string | null;
  result_url: string | null;
  target_system: string | null;
  target_account: string | null;
  account_match: boolean | null;
  content_match: boolean | null;
  comparison: FieldComparison[];
  matches: number | null;
  candidates: Candidate[];
  place: string | null;
  seen: string | null;
  next_place: string | null;
  error_class: LookupErrorClass | null;
  next_check_at: Date | null;
  usable_from: Date;
  usable_until: Date | null;
  evidence_digest: string;
  checked_at: Date;
  checked_by: string;
  checked_by_name: string | null;
  automatic: boolean;
  duration_ms: number | null;
  version: string;
  idempotency_key: string;
  fingerprint: string;
  content_version: string | null;
  execution_account: string | null;
  proof: Proof;
  evidence_max_age_seconds: number;
  now: Date;
}

// Index: lookups_by_execution. The tenant list is part of the question, so a foreign execution has no lookups.
const LIST = `
  SELECT l.*, l.execution_version::text AS execution_version, e.version::text AS version, e.idempotency_key,
         e.fingerprint, e.content_version, e.target_account AS execution_account, p.proof, p.evidence_max_age_seconds,
         who.display_name AS checked_by_name, ledger.clock() AS now
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
  const { rows } = await db.query<Row & Record<string, unknown>>(LIST, [executionId, tenantIds, LIMIT]);
  return rows.map(shown);
}

function shown(row: Row): LookupShown {
  const fault = evidenceFault(
    {
      executionId: row.execution_id,
      executionVersion: row.execution_version,
      key: row.subject_key,
      fingerprint: row.subject_fingerprint,
      contentVersion: row.subject_content_version,
      account: row.subject_account,
      verdict: row.verdict,
      checkedAt: row.checked_at,
      usableFrom: row.usable_from,
      usableUntil: row.usable_until,
    },
    {
      executionId: row.execution_id,
      executionVersion: row.version,
      key: row.idempotency_key,
      fingerprint: row.fingerprint,
      contentVersion: row.content_version,
      account: row.execution_account,
    },
    row.now,
    row.evidence_max_age_seconds,
  );
  const candidate = {
    outcome: row.outcome,
    externalStatus: row.external_status,
    // Not kept by itself: the verdict already says what the value meant.
    valueFound: null,
    verdict: row.verdict,
    resultId: row.result_id,
  };
  return {
    lookupId: row.lookup_id,
    exceptionId: row.exception_id,
    executionVersion: row.execution_version,
    connectorId: row.connector_id,
    connectorVersion: row.connector_version,
    question: row.question,
    outcome: row.outcome,
    externalStatus: row.external_status,
    verdict: row.verdict,
    resultId: row.result_id,
    resultUrl: row.result_url,
    targetSystem: row.target_system,
    targetAccount: row.target_account,
    accountMatch: row.account_match,
    contentMatch: row.content_match,
    comparison: row.comparison,
    matches: row.matches,
    candidates: row.candidates,
    place: row.place,
    seen: row.seen,
    nextPlace: row.next_place,
    errorClass: row.error_class,
    nextCheckAt: row.next_check_at,
    usableFrom: row.usable_from,
    usableUntil: row.usable_until,
    evidenceDigest: row.evidence_digest,
    checkedAt: row.checked_at,
    checkedBy: row.checked_by,
    checkedByName: row.checked_by_name,
    automatic: row.automatic,
    durationMs: row.duration_ms,
    fault,
    linkable: fault === null && isLinkable(row.proof, candidate),
  };
}
