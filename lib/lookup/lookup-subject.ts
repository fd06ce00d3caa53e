import type { Queryable } from '@/lib/db/pool';
import type { QuestionSubject } from '@/lib/domain/connector-question';
import type { HorizonInput } from '@/lib/domain/evidence';
import type { Proof } from '@/lib/domain/lookup-verdict';

/** The connector of the execution's operation, its recipe still unchecked. */
export interface ConfiguredConnector {
  connectorId: string;
  version: number;
  recipe: unknown;
  /** The deployment's own entry for a service on this machine. */
  allowPrivate: boolean;
}

/** Everything that a lookup needs to know about an execution, read at one moment. */
export interface LookupSubject {
  executionId: string;
  /** Decimal string: the row version that the evidence will be bound to. */
  executionVersion: string;
  proof: Proof;
  question: QuestionSubject;
  horizon: Omit<HorizonInput, 'visibilityDelaySeconds' | 'queryableSeconds'>;
  /** Of manual evidence; a connector has its own delay. Seconds. */
  manualHorizonSeconds: number;
  /** Null when the operation has none, or one of another tenant. */
  connector: ConfiguredConnector | null;
  /** The database's clock when this was read: the earliest moment at which the question can have been asked. */
  askedAt: Date;
  /** The same to the microsecond, RFC 3339. */
  askedAtText: string;
}

// Index: the primary keys of executions and attempts, late_reports_by_execution. An owner was at work until its last word: the
// report that left the execution unknown, or one that came too late. A tombstone has lost its display fields; the arrivals that agreed
// with it still hold theirs.
const SUBJECT = `
  SELECT e.execution_id, e.version::text AS version, e.idempotency_key, e.request_id, e.external_request_key,
         e.external_job_id, e.business_ref, e.content_version, e.target_system, e.target_account,
         coalesce(e.result_id, e.reported_result_id) AS result_id,
         coalesce(e.display_fields, (SELECT i.display_fields FROM ledger.intakes i
            WHERE i.execution_id = e.execution_id AND i.fingerprint = e.fingerprint AND i.display_fields IS NOT NULL
            ORDER BY i.received_at LIMIT 1), '{}') AS display,
         e.created_at, e.lease_expires_at, a.first_effect_started_at, a.last_activity_at,
         p.proof, p.grace_seconds, p.negative_proof_horizon_seconds,
         c.connector_id, c.version AS connector_version, c.recipe, c.allow_private,
         n.at AS asked_at, ledger.instant(n.at) AS asked_at_text
    FROM ledger.executions e
    CROSS JOIN LATERAL ledger.policy_for(e.tenant_id, e.operation) p
    CROSS JOIN (SELECT ledger.clock() AS at) n
    LEFT JOIN review.connectors c
      ON c.connector_id = p.connector_id AND c.retired_at IS NULL AND (c.tenant_id IS NULL OR c.tenant_id = e.tenant_id)
    LEFT JOIN LATERAL (
      SELECT min(t.effect_started_at) AS first_effect_started_at,
             greatest(max(greatest(t.started_at, t.effect_started_at)),
               CASE WHEN e.state = 'UNKNOWN' AND e.unknown_reason NOT IN ('LEASE_OVER', 'DECLARED') THEN e.state_since END,
               (SELECT max(l.received_at) FROM ledger.late_reports l WHERE l.execution_id = e.execution_id)) AS last_activity_at
        FROM ledger.attempts t WHERE t.execution_id = e.execution_id) a ON true
   WHERE e.execution_id = $1`;

interface SubjectRow {
  execution_id: string;
  version: string;
  idempotency_key: string;
  request_id: string | null;
  external_request_key: string | null;
  external_job_id: string | null;
  business_ref: string | null;
  content_version: string | null;
  target_system: string | null;
  target_account: string | null;
  result_id: string | null;
  display: Record<string, unknown>;
  created_at: Date;
  lease_expires_at: Date | null;
  first_effect_started_at: Date | null;
  last_activity_at: Date | null;
  proof: Proof;
  grace_seconds: number;
  negative_proof_horizon_seconds: number;
  connector_id: string | null;
  connector_version: number;
  recipe: unknown;
  allow_private: boolean;
  asked_at: Date;
  asked_at_text: string;
}

/** Null when there is no such execution. The caller has checked who may see it. */
export async function getLookupSubject(db: Queryable, executionId: string): Promise<LookupSubject | null> {
  const { rows } = await db.query<SubjectRow>(SUBJECT, [executionId]);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    executionId: row.execution_id,
    executionVersion: row.version,
    proof: row.proof,
    question: {
      system: row.target_system,
      account: row.target_account,
      key: row.idempotency_key,
      requestId: row.request_id,
      externalRequestKey: row.external_request_key,
      externalJobId: row.external_job_id,
      businessRef: row.business_ref,
      contentVersion: row.content_version,
      resultId: row.result_id,
      display: row.display,
    },
    horizon: {
      createdAt: row.created_at,
      firstEffectStartedAt: row.first_effect_started_at,
      lastActivityAt: row.last_activity_at,
      leaseExpiresAt: row.lease_expires_at,
      graceSeconds: row.grace_seconds,
    },
    manualHorizonSeconds: row.negative_proof_horizon_seconds,
    connector:
      row.connector_id === null
        ? null
        : {
            connectorId: row.connector_id,
            version: row.connector_version,
            recipe: row.recipe,
            allowPrivate: row.allow_private,
          },
    askedAt: row.asked_at,
    askedAtText: row.asked_at_text,
  };
}
