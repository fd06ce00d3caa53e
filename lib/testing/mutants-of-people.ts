// Ways of breaking who manages people and tokens, and who may give the second word.
import type { Mutant } from './mutant';

const RIGHTS = 'prisma/migrations/20261201000300_people/migration.sql';
const ACTS = 'prisma/migrations/20261201000310_people_acts/migration.sql';
const TWO = 'prisma/migrations/20261203000610_two_for_tenants_and_enabling/migration.sql';
const FOREIGN = 'prisma/migrations/20261204000120_nothing_of_other_tenants/migration.sql';
const LAPSES = 'prisma/migrations/20261204000110_resets_and_lapses/migration.sql';
const STEP_UP = 'prisma/migrations/20261201000320_step_up/migration.sql';
const TOKENS = 'prisma/migrations/20261201000330_producer_tokens/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_PEOPLE: readonly Mutant[] = [
  mutant(
    'R-078o',
    'lib/domain/shown-to.ts',
    'return { shownTo, input: rest };',
    'return { shownTo, input };',
  ),
  mutant('R-078o', 'lib/domain/shown-to.ts', '!Object.hasOwn(input, SHOWN_TO)', 'true'),
  // Separation of duty
  mutant(
    'R-078f',
    RIGHTS,
    "IF TG_OP = 'UPDATE' AND NEW.person_id::text = v_me",
    "IF TG_OP = 'NONE' AND NEW.person_id::text = v_me",
  ),
  mutant(
    'R-078f',
    TWO,
    "WHERE name IN ('APPROVER', 'ADMIN') AND (NOT v_held",
    "WHERE name IN ('ADMIN') AND (NOT v_held",
  ),
  mutant('R-078f', TWO, 'WHERE NOT v_held OR NOT name = ANY (OLD.authorities);', 'WHERE false;'),
  mutant(
    'R-078e',
    RIGHTS,
    'AND name = ANY (review.roles_for_request(r.kind)) AND since <= r.requested_at)',
    'AND name = ANY (review.roles_for_request(r.kind)))',
  ),
  mutant('R-078e', RIGHTS, 'AND name = r.tenant_id AND since <= r.requested_at)', 'AND name = r.tenant_id)'),
  mutant('R-078e', RIGHTS, 'AND name = o.authority AND since <= r.requested_at)', 'AND name = o.authority)'),
  mutant(
    'R-078f',
    ACTS,
    "WHEN (f.person).person_id = f.actor_id THEN 'OWN_RIGHTS'",
    "WHEN false THEN 'OWN_RIGHTS'",
  ),
  mutant(
    'R-078f',
    ACTS,
    "WHEN v_confirms AND g.requested_by = f.actor_id THEN 'SELF_APPROVAL'",
    "WHEN false THEN 'SELF_APPROVAL'",
  ),
  mutant(
    'R-078f',
    TWO,
    "AND 'ADMIN' = ANY (p.roles) AND (f.person).tenant_ids || g.tenant_ids <@ p.tenant_ids) THEN",
    'AND false) AND false THEN',
  ),
  mutant('R-078f', ACTS, "SET password_hash = NULL, authorities = '{}',", 'SET password_hash = NULL,'),
  mutant(
    'R-078g',
    RIGHTS,
    "PERFORM pg_advisory_xact_lock(hashtextextended('onceover active administrators', 0));",
    '',
  ),
  // Rights of the moment, own tenants
  mutant(
    'R-078a',
    ACTS,
    "WHEN NOT 'ADMIN' = ANY (v_actor.roles) THEN 'ROLE_MISSING'",
    "WHEN false THEN 'ROLE_MISSING'",
  ),
  mutant(
    'R-078a',
    ACTS,
    'v_ended := review.end_sessions_of((f.person).person_id, NULL, NULL);',
    'v_ended := 0;',
  ),
  mutant(
    'R-077a',
    ACTS,
    "WHEN (f.person).version::text <> p_input->>'version' THEN 'CHANGED_SINCE_SEEN'",
    "WHEN false THEN 'CHANGED_SINCE_SEEN'",
  ),
  mutant(
    'R-098a',
    ACTS,
    "WHEN NOT (f.person).tenant_ids <@ f.tenant_ids THEN 'OTHER_TENANTS_TOO'",
    "WHEN false THEN 'OTHER_TENANTS_TOO'",
  ),
  mutant(
    'R-098a',
    ACTS,
    'OR NOT ((f.person).tenant_ids && v_actor.tenant_ids OR cardinality((f.person).tenant_ids) = 0)',
    'OR false',
  ),
  mutant('AN-06', ACTS, 'AND session_id::text IS DISTINCT FROM p_spared;', ';'),
  // Step-up
  mutant('R-078d', STEP_UP, "AND authenticated_at > ledger.clock() - interval '15 minutes'", ''),
  mutant('AN-05', STEP_UP, "AND person_id::text = current_setting('onceover.actor_id', true)", ''),
  mutant('AN-06', STEP_UP, 'AND revoked_at IS NULL AND authenticated_at', 'AND authenticated_at'),
  // Tokens
  mutant(
    'AZ-14',
    TOKENS,
    'expires_at = least(expires_at, f.now + make_interval',
    'expires_at = greatest(expires_at, f.now + make_interval',
  ),
  mutant(
    'AZ-14',
    TOKENS,
    'UPDATE ledger.producer_tokens SET revoked_at = f.now WHERE',
    'UPDATE ledger.producer_tokens SET revoked_at = NULL WHERE',
  ),
  mutant(
    'AZ-14',
    TOKENS,
    "OR coalesce(NEW.expires_at, 'infinity') > coalesce(OLD.expires_at, 'infinity')",
    '',
  ),
  mutant('AZ-13', TOKENS, 'AND p.tenant_id = ANY ((f).tenant_ids);', ';'),
  mutant('R-098a', TOKENS, 'AND NOT v_tenant_id = ANY (f.tenant_ids) THEN v_code', 'AND false THEN v_code'),
  mutant('R-078e', 'lib/review/get-request.ts', "if (!row.rightsAreOlder) return 'RIGHT_TOO_NEW';", ''),
  mutant(
    'R-098c',
    'lib/review/people/list-people.ts',
    'const conditions = [inTenants(own), afterPosition',
    "const conditions = ['true', afterPosition",
  ),
  mutant('R-098c', 'lib/review/people/person-columns.ts', ' and t.tenant_id = any(${tenants}))', ')'),
  mutant(
    'R-074a',
    'lib/review/people/list-people.ts',
    "if (!hasRoleFor(ctx.actor, 'people.manage')) return { kind: 'forbidden' };",
    '',
  ),
  // What a reset ends, what lapses, and who is held while a key is made
  mutant(
    'R-078l',
    LAPSES,
    '((p).password_hash IS NOT NULL OR review.has_ended_way_in((p).person_id))',
    '(p).password_hash IS NOT NULL',
  ),
  mutant('R-078m', LAPSES, 'PERFORM review.expire_grant(g);\n    v_lapsed', 'v_lapsed'),
  mutant('R-078m', LAPSES, 'PERFORM review.expire_proposal(p);\n    v_lapsed', 'v_lapsed'),
  mutant('R-078m', LAPSES, 'IF FOUND THEN PERFORM review.expire_grant(g); END IF;', ''),
  mutant('R-078m', LAPSES, 'IF FOUND THEN PERFORM review.expire_proposal(p); END IF;', ''),
  mutant('R-078m', TWO, '  PERFORM review.withdraw_grants(f);\n  v_ended', '  v_ended'),
  mutant(
    'R-082d',
    'prisma/migrations/20261204000800_rights_and_policies_hold_still/migration.sql',
    '\n    UNION SELECT used_by FROM review.break_glass_uses WHERE request_id = p_request_id',
    '',
  ),
  // What exists elsewhere
  mutant(
    'AZ-05',
    FOREIGN,
    "THEN 'EMAIL_TAKEN' ELSE 'EMAIL_UNUSABLE' END",
    "THEN 'EMAIL_TAKEN' ELSE 'EMAIL_TAKEN' END",
  ),
  mutant('AZ-05', FOREIGN, 'AND (p.tenant_ids && f.tenant_ids OR cardinality(p.tenant_ids) = 0)', ''),
];
