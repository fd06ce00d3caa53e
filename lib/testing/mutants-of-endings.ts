// Ways of letting one outcome leak into the next, and a later policy into an earlier record.
import type { Mutant } from './mutant';

const ENDS = 'prisma/migrations/20261130000800_what_an_end_leaves/migration.sql';
const MEETS = 'prisma/migrations/20261202000000_policy_meets_claims/migration.sql';
const ARRIVALS = 'lib/ledger/http/arrivals.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_ENDINGS: readonly Mutant[] = [
  // An outcome
  mutant('R-037e', ENDS, '      NEW.failure_basis := NULL;\n', ''),
  mutant(
    'R-011d',
    ENDS,
    'IF NEW.state <> OLD.state AND (NEW.response_status,',
    'IF false AND (NEW.response_status,',
  ),
  mutant(
    'R-011d',
    ENDS,
    '      NEW.result_id := NULL;\n      NEW.response_status := NULL;',
    '      NEW.result_id := NULL;',
  ),
  mutant('R-014g', ENDS, 'NEW.result_id := ledger.result_id_of(NEW.result_id);', ''),
  mutant(
    'R-021',
    ENDS,
    'NEW.attempt_id := CASE WHEN NEW.attempt_id IS DISTINCT FROM OLD.attempt_id THEN NEW.attempt_id END;',
    '',
  ),
  mutant(
    'R-030',
    ENDS,
    'NEW.progress := CASE WHEN NEW.progress IS DISTINCT FROM OLD.progress THEN NEW.progress END;',
    '',
  ),
  mutant(
    'R-030',
    ENDS,
    'CASE WHEN NEW.external_job_id IS DISTINCT FROM OLD.external_job_id THEN NEW.external_job_id END',
    'NEW.external_job_id',
  ),

  // A result after the end
  mutant('R-029f', ENDS, 'IF v_row.attempt > 0 THEN', 'IF false THEN'),
  mutant(
    'R-029f',
    ENDS,
    "IF NEW.state = 'SUCCEEDED' AND OLD.state IN ('FAILED_RETRYABLE',",
    "IF false AND OLD.state IN ('FAILED_RETRYABLE',",
  ),
  mutant(
    'R-029d',
    ENDS,
    "    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);\n    RETURN ledger.refusal('RESULT_CONFLICT', 'OTHER_RESULT_STORED', v_row);",
    "    RETURN ledger.refusal('RESULT_CONFLICT', 'OTHER_RESULT_STORED', v_row);",
  ),
  mutant(
    'R-029d',
    ENDS,
    "    PERFORM ledger.keep_late_report(v_row, 'complete', p_report);\n    RETURN ledger.refusal('RESULT_CONFLICT', 'UNDER_REVIEW', v_row);",
    "    RETURN ledger.refusal('RESULT_CONFLICT', 'UNDER_REVIEW', v_row);",
  ),
  mutant('R-029a', ENDS, "IF p_report->>'fencingToken' IS NULL THEN", 'IF false THEN'),
  mutant('R-037a', ENDS, "IF p_report->>'retryable' IS NULL THEN", 'IF false THEN'),

  // A later policy
  mutant('R-006g', ENDS, 'AND ledger.result_id_was_required(p_row)', ''),
  mutant('R-006g', ENDS, "NOT p_claim->'fingerprints' ? v_row.policy_version::text THEN", 'false THEN'),
  mutant('R-006g', ENDS, "WHEN (p_claim->>'onlyExisting')::boolean THEN", 'WHEN false THEN'),
  mutant('R-006g', ENDS, 'IF v_refused IS NOT NULL THEN', 'IF false THEN'),
  mutant('R-006g', ARRIVALS, 'onlyExisting: refusal !== null', 'onlyExisting: false'),
  mutant('R-006g', ARRIVALS, '? refusal : error', '? error : error'),
  mutant('R-017c', ENDS, 'IF NEW.business_ref_unique THEN', 'IF false THEN'),
  mutant(
    'R-017c',
    MEETS,
    'PERFORM pg_advisory_xact_lock_shared(ledger.policy_lock(p_tenant_id, p_operation));',
    '',
  ),
  mutant(
    'R-017c',
    MEETS,
    'PERFORM pg_advisory_xact_lock(ledger.policy_lock(NEW.tenant_id, NEW.operation));',
    '',
  ),
  mutant('R-017c', MEETS, '  PERFORM ledger.hold_policy(NEW.tenant_id, NEW.operation);\n', ''),
  mutant('R-016b', ENDS, "AND ledger.single_executor_of(NEW) <> 'NONE'", 'AND false'),
  mutant(
    'R-071a',
    ENDS,
    'coalesce(v_intake.policy_version, CASE WHEN v_intake.intake_id IS NULL',
    'coalesce(NULL, CASE WHEN v_intake.intake_id IS NULL',
  ),
];
