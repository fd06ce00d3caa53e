// Ways of counting a right or a policy that has gone by the time the act is committed.
import type { Mutant } from './mutant';

const HELD = 'prisma/migrations/20261204000800_rights_and_policies_hold_still/migration.sql';

const PART = 'prisma/migrations/20261204000810_part_in_an_emergency/migration.sql';
const SUBJECT = 'prisma/migrations/20261204000820_one_subject_at_a_time/migration.sql';
const CONCERNED = 'prisma/migrations/20261204000830_whom_an_event_concerned/migration.sql';
const FILTER = 'lib/review/audit-filter.ts';
const REASONS = 'prisma/migrations/20261204000840_reasons_of_the_moment/migration.sql';

const mutant = (rule: string, find: string, replace = '', file = HELD): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_DEMOTIONS: readonly Mutant[] = [
  // Whoever's right is counted besides the caller's own
  mutant(
    'R-078n',
    "  PERFORM pg_advisory_xact_lock(hashtextextended('onceover request ' || p_request_id, 0));\n",
  ),
  mutant(
    'R-078n',
    '    UNION SELECT approver_id FROM review.approval_decisions WHERE request_id = p_request_id\n',
  ),
  mutant('R-078n', '    SELECT r.requested_by\n', '    SELECT NULL::uuid\n'),
  mutant('R-078n', 'ORDER BY p.person_id FOR SHARE;', 'ORDER BY p.person_id;'),
  mutant(
    'R-078n',
    "SELECT requested_by FROM review.right_grants WHERE grant_id = (p_input->>'grantId')::uuid",
    'SELECT NULL::uuid',
  ),
  mutant(
    'R-078n',
    "SELECT requested_by FROM review.policy_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid",
    'SELECT NULL::uuid',
  ),
  mutant(
    'R-078n',
    "SELECT requested_by FROM review.connector_proposals WHERE proposal_id = (p_input->>'proposalId')::uuid",
    'SELECT NULL::uuid',
  ),
  mutant('R-078n', '  PERFORM review.hold_people(ARRAY[v_assignee]);\n'),
  // The policies by which is decided
  mutant(
    'R-081n',
    'pg_advisory_xact_lock_shared(review.approval_policy_lock(p_tenant_id, p_operation))',
    'NULL',
  ),
  mutant(
    'R-081n',
    '  PERFORM pg_advisory_xact_lock(review.approval_policy_lock(NEW.tenant_id, NEW.operation));\n',
  ),
  mutant('R-081n', '  PERFORM ledger.hold_policy(p_tenant_id, p_operation);\n'),
  mutant('R-081n', '  PERFORM review.hold_policies(r.tenant_id, r.operation);\n'),
  // Who has had a part in an emergency
  mutant(
    'R-082e',
    "e.actor_id = p_person_id::text AND e.event NOT IN ('evidence', 'lookup_ended')\n                      OR ",
    '',
    PART,
  ),
  mutant(
    'R-082e',
    "\n                      OR e.event = 'assigned' AND p_person_id::text IN (e.detail->>'from', e.detail->>'to')",
    '',
    PART,
  ),
  mutant('R-082e', 'l.checked_by = p_person_id::text', 'false', PART),
  mutant('R-082e', '\n                  AND l.connector_id IS NULL', '', PART),
  mutant('R-082e', " AND e.at <= coalesce(u.expires_at, 'infinity')", '', PART),
  // Two sign-ins of one subject
  mutant(
    'R-078i',
    "  PERFORM pg_advisory_xact_lock(hashtextextended(jsonb_build_array('onceover subject', p_input->'issuer', p_input->'subject')::text, 0));\n",
    '',
    SUBJECT,
  ),
  mutant('R-078i', '\n      WHERE identities.person_id = EXCLUDED.person_id', '', SUBJECT),
  // Who reads an event about a person, and one that nobody can read
  mutant('R-098f', 'c.tenant_ids <@ ${granted} and ', '', FILTER),
  mutant('R-098f', ' and h.since <= e.occurred_at', '', FILTER),
  mutant('R-098f', 'c.recorded or ', '', FILTER),
  mutant('R-098f', "b->'before'->'tenantIds', b->'after'", "b->'after'", CONCERNED),
  mutant(
    'R-098f',
    "b->'before'->'tenantIds', b->'after'->'tenantIds', b->'tenantIds'",
    "b->'before'->'tenantIds', b->'tenantIds'",
    CONCERNED,
  ),
  mutant(
    'R-088a',
    'EXCEPTION WHEN data_exception OR program_limit_exceeded THEN\n  RETURN NULL;\n',
    '',
    CONCERNED,
  ),
  mutant('R-088a', 'CASE WHEN b IS NOT NULL THEN coalesce(', 'CASE WHEN true THEN coalesce(', CONCERNED),
  mutant('R-088a', 'if (!isReadableBody(row.body))', 'if (false)', 'components/audit/audit-table.tsx'),
  mutant('R-088a', 'if (Number.isNaN(Date.parse(at)))', 'if (false)', 'components/time/instant.tsx'),
  // Reasons that have become too short
  mutant('R-081m', ' AND review.reason_suffices(d.rationale, p_terms)', '', REASONS),
  mutant(
    'R-081m',
    '(not s.now or review.reason_suffices(d.rationale, review.terms_now(r))) and ',
    '',
    'lib/review/read-steps.ts',
  ),
];
