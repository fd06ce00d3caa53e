// Ways of opening again what was found open: sign-ins in flight, rights that one administrator gives, requests that outlive theirs.
import type { Mutant } from './mutant';

const OPENING = 'prisma/migrations/20261203000600_sign_in_holds_still/migration.sql';
const TWO = 'prisma/migrations/20261203000610_two_for_tenants_and_enabling/migration.sql';
const ENTITLED = 'prisma/migrations/20261203000620_requester_still_entitled/migration.sql';

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
  // What takes two
  mutant(
    'R-078k',
    TWO,
    'v_tenants := ARRAY(SELECT unnest(NEW.tenant_ids) EXCEPT SELECT unnest(OLD.tenant_ids));',
    "v_tenants := '{}';",
  ),
  mutant(
    'R-078k',
    TWO,
    'v_held := OLD.disabled_at IS NULL OR NEW.disabled_at IS NOT NULL;',
    'v_held := true;',
  ),
  mutant(
    'R-078k',
    TWO,
    "SELECT p_roles && ARRAY['APPROVER', 'ADMIN'] OR cardinality(p_authorities) > 0",
    "SELECT p_roles && ARRAY['APPROVER', 'ADMIN']",
  ),
  mutant('R-078k', TWO, "WHEN v_confirms AND NOT g.tenant_ids <@ f.tenant_ids THEN 'TENANT_NOT_GRANTED'", ''),
  // A request that outlives its requester's rights
  mutant('FE-07', ENTITLED, 'AND r.tenant_id = ANY (p.tenant_ids)', ''),
  mutant(
    'FE-07',
    ENTITLED,
    "p.roles, ARRAY['OPERATOR', 'APPROVER']",
    "'{OPERATOR}', ARRAY['OPERATOR', 'APPROVER']",
  ),
];
