// Ways of breaking who has to approve what, and what may be done without.
import type { Mutant } from './mutant';

const POLICIES = 'prisma/migrations/20261202000100_approval_policies/migration.sql';
const CHANGES = 'prisma/migrations/20261202000110_policy_changes/migration.sql';
const DECIDE = 'prisma/migrations/20261202000120_policies_decide/migration.sql';
const GLASS = 'prisma/migrations/20261202000130_break_glass/migration.sql';
const EYES = 'prisma/migrations/20261203000300_four_eyes/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_APPROVALS: readonly Mutant[] = [
  // Steps
  mutant(
    'R-081b',
    DECIDE,
    "bool_and((step->>'count')::integer <= (",
    "bool_or((step->>'count')::integer <= (",
  ),
  mutant(
    'R-081b',
    DECIDE,
    "WHERE person_id = p_person_id AND kind = 'ROLE' AND name = p_step->>'role' AND since",
    "WHERE person_id = p_person_id AND kind = 'ROLE' AND since",
  ),
  mutant(
    'R-081b',
    DECIDE,
    "AND kind = 'AUTHORITY' AND name = p_step->>'authority' AND since <= r.requested_at)",
    "AND kind = 'AUTHORITY' AND name = p_step->>'authority')",
  ),
  mutant('R-081b', DECIDE, "THEN 'NOT_IN_GROUP' END", 'THEN NULL END'),
  mutant('R-081b', POLICIES, 'OR v_amount IS NULL OR v_amount >=', 'OR v_amount >='),
  mutant('R-081b', POLICIES, "v_amount >= (step->>'fromAmount')", "v_amount > (step->>'fromAmount')"),
  mutant('R-081b', POLICIES, 'THEN abs(kept::numeric)', 'THEN kept::numeric'),
  mutant(
    'R-081b',
    POLICIES,
    'review.effect_rank(v_policy.effect_class) >= review',
    'review.effect_rank(v_policy.effect_class) > review',
  ),
  // Changes by two, from the version that was seen
  mutant('R-081c', CHANGES, "WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'", ''),
  mutant(
    'R-081c',
    CHANGES,
    "WHERE q.person_id = p.requested_by AND q.disabled_at IS NULL\n           AND 'ADMIN' = ANY (q.roles)",
    'WHERE q.person_id = p.requested_by',
  ),
  mutant(
    'R-081c',
    POLICIES,
    "  IF NOT FOUND THEN\n    RAISE EXCEPTION 'a second",
    "  IF false THEN\n    RAISE EXCEPTION 'a second",
  ),
  mutant('R-081c', POLICIES, ' AND decided_by <> requested_by)', ')'),
  mutant(
    'R-081c',
    POLICIES,
    "AND state = 'CONFIRMED' AND decided_by::text = NEW.created_by",
    "AND state <> 'APPLIED'",
  ),
  mutant(
    'R-081c',
    POLICIES,
    "WHERE step->'kinds' ? kind AND step->>'fromAmount' IS NULL",
    "WHERE step->'kinds' ? kind",
  ),
  mutant('R-081c', CHANGES, "THEN 'POLICY_UNSATISFIABLE' END END", 'THEN NULL END END'),
  mutant('R-081c', CHANGES, "WHEN NOT p_tenant_id = ANY ((f).tenant_ids) THEN 'NOT_FOUND'\n", ''),
  mutant(
    'R-081d',
    CHANGES,
    "IS DISTINCT FROM p_seen THEN 'CHANGED_SINCE_SEEN'",
    'IS DISTINCT FROM p_seen THEN NULL',
  ),
  mutant(
    'R-081d',
    CHANGES,
    "  PERFORM pg_advisory_xact_lock(hashtextextended('onceover approval policy '",
    "  PERFORM (hashtextextended('onceover approval policy '",
  ),
  mutant(
    'R-081d',
    CHANGES,
    "        THEN jsonb_build_object('policy', (SELECT content FROM",
    "        THEN jsonb_build_object('none', (SELECT content FROM",
  ),
  // The stricter of then and now; no policy is a no
  mutant('R-081e', DECIDE, "WHEN review.steps_pass(r, terms) IS NOT TRUE THEN 'POLICY_STRICTER' END", 'END'),
  mutant(
    'R-081e',
    DECIDE,
    "WHEN review.steps_pass(r, review.terms_of(r)) IS NOT TRUE THEN 'APPROVERS_NOT_ENTITLED'\n",
    '',
  ),
  mutant(
    'R-081e',
    DECIDE,
    "IF NEW.state IN ('APPROVED', 'EXECUTED') AND review.approvals_refusal(NEW) IS NOT NULL",
    "IF NEW.state IN ('EXECUTED') AND review.approvals_refusal(NEW) IS NOT NULL",
  ),
  mutant(
    'R-081f',
    DECIDE,
    "IF r.terms IS NULL THEN RETURN review.refuse_decision(f, 'NO_APPROVAL_POLICY'); END IF;",
    'r.terms := coalesce(r.terms, \'{"minRationale": 10, "approvalSeconds": 600, "steps": [{"count": 1}]}\');',
  ),
  mutant('R-081f', DECIDE, "WHEN v_step = 'APPROVED' AND v_terms IS NULL THEN 'NO_APPROVAL_POLICY'\n", ''),
  mutant(
    'R-081f',
    DECIDE,
    "SELECT CASE WHEN terms IS NULL THEN 'NO_APPROVAL_POLICY'\n",
    'SELECT CASE WHEN terms IS NULL THEN NULL\n',
  ),
  mutant('R-081c', POLICIES, 'SELECT CASE WHEN NOT a.removes THEN a END', 'SELECT a'),
  // Reasons and expiries
  mutant(
    'R-081g',
    DECIDE,
    "greatest((v_then->>'minRationale')::integer",
    "least((v_then->>'minRationale')::integer",
  ),
  mutant(
    'R-081g',
    DECIDE,
    "IF review.visible_length((f).input->>'rationale') < (r.terms",
    "IF length((f).input->>'rationale') < (r.terms",
  ),
  mutant(
    'R-081g',
    DECIDE,
    "least((v_then->>'executionSeconds')::integer",
    "greatest((v_then->>'executionSeconds')::integer",
  ),
  mutant(
    'R-081g',
    EYES,
    "r.requested_at + make_interval(secs => (review.terms_now(r)->>'approvalSeconds')::integer)",
    'r.decide_by',
  ),
  mutant(
    'R-081g',
    EYES,
    'SELECT least(r.execute_by, r.state_since',
    'SELECT greatest(r.execute_by, r.state_since',
  ),
  // Break-glass
  mutant(
    'R-082a',
    GLASS,
    "WHEN NOT 'break-glass' = ANY (v_actor.authorities) THEN 'BREAK_GLASS_AUTHORITY_MISSING'\n",
    '',
  ),
  mutant(
    'R-082a',
    GLASS,
    "AND h.name = 'break-glass' AND h.since <= r.requested_at)",
    "AND h.name = 'break-glass')",
  ),
  mutant(
    'R-082a',
    GLASS,
    'v_approval.approver_id := v_use.used_by;',
    'v_approval.approver_id := r.execution_id;',
  ),
  mutant('R-082b', GLASS, "'tell-managers:' || r.request_id);", "'nobody:' || r.request_id);"),
  mutant('R-082c', GLASS, "> 2 THEN 'NOT_AN_EMERGENCY'", "> 4 THEN 'NOT_AN_EMERGENCY'"),
  mutant(
    'R-082d',
    GLASS,
    "PERFORM review.end_request(r, 'APPROVED', NULL, v_now + interval '15 minutes', NULL);",
    "PERFORM review.end_request(r, 'APPROVED', NULL, v_now + interval '1 day', NULL);",
  ),
  mutant('R-082d', GLASS, 'OR review.may_break_glass(u.used_by, r.request_id) IS NOT TRUE', ''),
  mutant(
    'R-082e',
    GLASS,
    "CASE WHEN review.took_part(v_actor.person_id, r.request_id) THEN 'TOOK_PART'\n         WHEN",
    'CASE WHEN',
  ),
  mutant(
    'R-082e',
    GLASS,
    'IF review.took_part(NEW.reviewed_by, NEW.request_id) IS NOT FALSE OR NOT EXISTS',
    'IF false AND NOT EXISTS',
  ),
  mutant('R-082e', GLASS, 'IF OLD.reviewed_at IS NOT NULL OR to_jsonb(NEW)', 'IF false AND to_jsonb(NEW)'),
  mutant(
    'R-082f',
    'lib/review/break-glass/read-uses.ts',
    ' and u.tenant_id = any($1::text[])',
    ' and $1::text[] is not null',
  ),
  mutant(
    'R-081h',
    'lib/review/read-steps.ts',
    "rows.some((row) => row.mine) ? null : 'NOT_IN_GROUP'",
    'null',
  ),
];
