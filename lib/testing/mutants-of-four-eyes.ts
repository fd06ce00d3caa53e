// Ways of letting one person do what takes two, or of letting a decision count for more than it was given for.
import type { Mutant } from './mutant';

const IDS = 'prisma/migrations/20261204000100_operation_ids/migration.sql';
const BASIS = 'components/approval/request-basis.tsx';
const STEP_UP = 'prisma/migrations/20261201000320_step_up/migration.sql';
const ACTS = 'prisma/migrations/20261201000310_people_acts/migration.sql';
const CHANGES = 'prisma/migrations/20261202000110_policy_changes/migration.sql';
const EYES = 'prisma/migrations/20261203000300_four_eyes/migration.sql';
const CONTRARY = 'prisma/migrations/20261130000600_contrary_looks/migration.sql';
const DECIDE = 'prisma/migrations/20261202000120_policies_decide/migration.sql';
const GLASS = 'prisma/migrations/20261202000130_break_glass/migration.sql';
const EMERGENCY = 'prisma/migrations/20261203000310_own_emergency/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_FOUR_EYES: readonly Mutant[] = [
  // One's own request, by every way
  mutant(
    'FE-01',
    EYES,
    "WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'",
    "WHEN false THEN 'SELF_APPROVAL'",
  ),
  mutant(
    'FE-01',
    EMERGENCY,
    "CASE WHEN v_actor.person_id IN (u.used_by, r.requested_by) THEN 'SELF_APPROVAL' END,\n",
    '',
  ),
  mutant('FE-01', EMERGENCY, 'IN (u.used_by, r.requested_by)', 'IN (u.used_by)'),
  mutant('FE-01', STEP_UP, "AND person_id::text = current_setting('onceover.actor_id', true)", ''),
  mutant('FE-01', CHANGES, "WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'", ''),
  mutant('FE-01', ACTS, "WHEN v_confirms AND g.requested_by = f.actor_id THEN 'SELF_APPROVAL'", ''),
  mutant(
    'FE-01',
    'prisma/migrations/20261129000950_approvals/migration.sql',
    'CHECK (approver_id <> requested_by)',
    'CHECK (true)',
  ),
  mutant('FE-01', 'lib/domain/email-identity.ts', 'trim().toLowerCase()', 'trim()'),
  // What was shown, and nothing else
  mutant('FE-02', CONTRARY, "WHEN review.request_digest(r) <> r.digest THEN 'DIGEST_BROKEN'", ''),
  mutant('FE-02', EYES, 'IF review.decide_until(r) <= v_now THEN', 'IF r.decide_by <= v_now THEN'),
  mutant('FE-02', EYES, 'IF review.execute_until(r) <= f.now THEN', 'IF r.execute_by <= f.now THEN'),
  mutant(
    'FE-03',
    EYES,
    "WHEN r.digest <> coalesce(p_input->>'digest', '') THEN 'DIGEST_MISMATCH'\n    WHEN review.visible_length(p_input->>'rationale')",
    "WHEN review.visible_length(p_input->>'rationale')",
  ),
  mutant('FE-03', CONTRARY, "WHEN p_row.version <> r.execution_version THEN 'EXECUTION_CHANGED'", ''),
  // Rights at the decision, and when it is carried out
  mutant(
    'FE-07',
    CONTRARY,
    "WHEN NOT EXISTS (SELECT 1 FROM review.people p WHERE p.person_id = r.requested_by AND p.disabled_at IS NULL) THEN 'REQUESTER_DISABLED'",
    '',
  ),
  mutant('FE-07', DECIDE, 'SELECT review.rights_are_older(p_person_id, r.request_id)\n', 'SELECT true\n'),
  mutant(
    'FE-07',
    DECIDE,
    'AND EXISTS (SELECT FROM review.people WHERE person_id = p_person_id AND disabled_at IS NULL)',
    '',
  ),
  mutant('FE-07', GLASS, '    review.approvals_refusal(r),\n', ''),
  // Over and used up
  mutant('FE-10', EYES, 'IF NEW.decided_at < r.requested_at THEN', 'IF false THEN'),
  mutant(
    'FE-10',
    DECIDE,
    "(OLD.state = 'PENDING' AND NEW.state IN ('APPROVED', ",
    "(OLD.state <> 'EXECUTED' AND NEW.state IN ('PENDING', 'APPROVED', ",
  ),
  mutant(
    'FE-10',
    EMERGENCY,
    "'DECISION_NOT_FOR_KIND'\n    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'",
    "'DECISION_NOT_FOR_KIND'",
  ),
  mutant('FE-15', IDS, 'RETURN CASE v_ended', 'RETURN CASE NULL::text'),
  mutant('FE-15', IDS, "THEN v_code\n    WHEN r.state <> 'PENDING' THEN 'REQUEST_ENDED'", 'THEN v_code'),
  mutant(
    'FE-15',
    IDS,
    "v_code := review.judge_operation_id('request ' || v_step, p_input);",
    'v_code := NULL;',
  ),
  // The two limits
  mutant('FE-09', EYES, 'IF review.decide_until(r) <= v_now THEN', 'IF review.decide_until(r) < v_now THEN'),
  mutant(
    'FE-09',
    EYES,
    'IF review.execute_until(r) <= f.now THEN',
    'IF review.execute_until(r) < f.now THEN',
  ),
  mutant(
    'FE-09',
    EYES,
    'v_now + make_interval(secs => least(',
    'r.requested_at + make_interval(secs => least(',
  ),
  mutant('FE-09', 'lib/review/request-limits.ts', 'review.decide_until(r)', 'r.decide_by'),
  mutant('FE-09', 'lib/review/request-limits.ts', 'review.execute_until(r)', 'r.execute_by'),
  // Policies that change under a request
  mutant(
    'FE-11',
    GLASS,
    "WHEN review.steps_pass(r, terms) IS NOT TRUE THEN 'POLICY_STRICTER'",
    "WHEN false THEN 'POLICY_STRICTER'",
  ),
  mutant(
    'FE-11',
    GLASS,
    "WHEN review.steps_pass(r, review.terms_of(r)) IS NOT TRUE THEN 'APPROVERS_NOT_ENTITLED'",
    "WHEN false THEN 'APPROVERS_NOT_ENTITLED'",
  ),
  mutant('FE-11', EYES, "WHEN v_step = 'APPROVED' AND v_terms IS NULL THEN 'NO_APPROVAL_POLICY'", ''),
  mutant('FE-11', CHANGES, "THEN 'POLICY_INCOMPLETE'", 'THEN NULL'),
  // Reasons
  mutant(
    'FE-13',
    EYES,
    "NOT BETWEEN 10 AND 4000 THEN 'RATIONALE_LENGTH'\n    WHEN review.visible_length(p_input->>'rationale') < greatest(",
    "< 10 THEN 'RATIONALE_LENGTH'\n    WHEN review.visible_length(p_input->>'rationale') < greatest(",
  ),
  mutant(
    'FE-13',
    EMERGENCY,
    "WHEN review.visible_length(p_input->>'reason') NOT BETWEEN 20",
    "WHEN length(p_input->>'reason') NOT BETWEEN 20",
  ),
  // Emergencies
  mutant('FE-14', EMERGENCY, "WHEN r.kind <> 'REISSUE' THEN 'DECISION_NOT_FOR_KIND'", ''),
  mutant('FE-14', EMERGENCY, "WHEN review.decide_until(r) <= v_now THEN 'REQUEST_EXPIRED'", ''),
  mutant('FE-14', EMERGENCY, "WHEN review.terms_now(r) IS NULL THEN 'NO_APPROVAL_POLICY'", ''),
  // Rows that no function would write
  mutant('FE-17', EYES, "IF NEW.state <> 'PENDING' OR num_nonnulls(", 'IF num_nonnulls('),
  mutant('FE-17', EYES, ' OR NEW.digest <> review.request_digest(NEW) THEN', ' THEN'),
  mutant(
    'FE-17',
    DECIDE,
    "IF NEW.state IN ('APPROVED', 'EXECUTED') AND review.approvals_refusal(NEW) IS NOT NULL THEN",
    'IF false THEN',
  ),
  // What the approver reads
  mutant('FE-19', BASIS, "{ term: t('version'), value: request.executionVersion },", ''),
  mutant('FE-19', BASIS, "{ term: t('targetAccount'), value: text(request.targetAccount) },", ''),
  mutant('FE-19', BASIS, '<KeyText value={execution.principalId} />', ''),
  mutant('FE-19', BASIS, '<KeyText value={value} />', '<KeyText value={value} cut />'),
  mutant('FE-19', BASIS, '<MisleadingNotice about={request} />', ''),
  mutant(
    'FE-19',
    'components/execution/amount-text.tsx',
    'currency: amount.currency }',
    "currency: amount.currency, currencyDisplay: 'narrowSymbol' }",
  ),
  mutant('FE-19', 'components/evidence/lookup-meta.tsx', 'look="full" className="tabular"', 'look="ago"'),
  mutant('FE-19', 'components/text/visible-text.tsx', 'run.escapeOf === null ? (', 'true ? ('),
  mutant('FE-19', 'lib/domain/look-alikes.ts', ' || isTakenApart(word)', ''),
];
