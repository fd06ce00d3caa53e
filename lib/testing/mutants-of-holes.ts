// Ways of opening again what was found open: sign-ins in flight, rights that one administrator gives, requests that outlive theirs.
import type { Mutant } from './mutant';

const OPENING = 'prisma/migrations/20261203000600_sign_in_holds_still/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_HOLES: readonly Mutant[] = [
  // A sign-in in flight
  mutant(
    'AN-06',
    OPENING,
    "IF p.password_hash IS DISTINCT FROM p_input->>'passwordHash' OR p.password_hash IS NULL THEN RETURN false; END IF;",
    '',
  ),
  mutant(
    'AN-07',
    OPENING,
    'IF p.person_id IS NULL OR p.disabled_at IS NOT NULL THEN RETURN false; END IF;',
    'IF p.person_id IS NULL THEN RETURN false; END IF;',
  ),
  mutant(
    'AN-06',
    OPENING,
    'AND person_id = p.person_id AND ended_at IS NULL;',
    'AND person_id = p.person_id;',
  ),
  mutant(
    'AN-06',
    OPENING,
    'AND person_id = p.person_id AND used_at IS NULL AND expires_at',
    'AND person_id = p.person_id AND expires_at',
  ),
  mutant('AN-06', OPENING, 'AND revoked_at IS NULL AND expires_at > ledger.clock()) THEN', ') THEN'),
  mutant(
    'AN-07',
    OPENING,
    "IF p.person_id IS NULL OR p.disabled_at IS NOT NULL OR p.password_hash IS DISTINCT FROM p_input->>'presentHash'",
    "IF p.person_id IS NULL OR p.password_hash IS DISTINCT FROM p_input->>'presentHash'",
  ),
  mutant(
    'AN-18',
    OPENING,
    "make_interval(secs => least((p_input->>'seconds')::integer, 43200))",
    "make_interval(secs => (p_input->>'seconds')::integer)",
  ),
];
