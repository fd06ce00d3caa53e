// Ways of letting one person do what takes two, or of letting a decision count for more than it was given for.
import type { Mutant } from './mutant';

const STEP_UP = 'prisma/migrations/20261201000320_step_up/migration.sql';
const ACTS = 'prisma/migrations/20261201000310_people_acts/migration.sql';
const CHANGES = 'prisma/migrations/20261202000110_policy_changes/migration.sql';
const EYES = 'prisma/migrations/20261203000300_four_eyes/migration.sql';
const EMERGENCY = 'prisma/migrations/20261203000310_own_emergency/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_FOUR_EYES: readonly Mutant[] = [
  // One's own request, by every way
  mutant('FE-01', EYES, "WHEN r.requested_by = v_actor.person_id THEN 'SELF_APPROVAL'", ''),
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
];
