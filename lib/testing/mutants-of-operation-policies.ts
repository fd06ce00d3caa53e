// Ways of breaking how operation policies change, are previewed and are read.
import type { Mutant } from './mutant';

const KINDS = 'prisma/migrations/20261204000500_proposals_of_two_kinds/migration.sql';
const CHANGES = 'prisma/migrations/20261204000510_operation_policy_changes/migration.sql';
const WORDS = 'prisma/migrations/20261204000520_policy_words_erasable/migration.sql';
const DRAFT = 'components/policy/read-draft.ts';
const PREVIEW = 'lib/domain/content-preview.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_OPERATION_POLICIES: readonly Mutant[] = [
  // Two administrators
  mutant('R-048d', KINDS, "WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'", ''),
  mutant('R-048d', KINDS, "WHEN p.expires_at <= f.now THEN 'REQUEST_EXPIRED'", ''),
  mutant('R-048d', KINDS, "AND 'ADMIN' = ANY (q.roles) AND p.tenant_id = ANY (q.tenant_ids)", 'AND true'),
  mutant(
    'R-048d',
    CHANGES,
    "  IF NOT FOUND THEN\n    RAISE EXCEPTION 'a second",
    "  IF false THEN\n    RAISE EXCEPTION 'a second",
  ),
  mutant('R-048d', CHANGES, 'AND content = review.operation_policy_content(NEW);', ';'),
  mutant('R-048d', CHANGES, "'OPERATION') AND NEW.version = v_newest + 1", "'OPERATION')"),
  mutant(
    'R-048d',
    CHANGES,
    "IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND",
    "IF TG_OP = 'DELETE' OR (false AND",
  ),
  mutant('R-048d', CHANGES, "IF TG_OP = 'DELETE' OR", 'IF'),
  mutant(
    'R-048d',
    CHANGES,
    "AND state = 'CONFIRMED' AND decided_by::text = v_person AND base_version = NEW.version;",
    ';',
  ),
  mutant('R-048d', CHANGES, "THEN 'CONNECTOR_UNKNOWN' END", 'THEN NULL END'),
  mutant('R-048d', CHANGES, '(c.tenant_id IS NULL OR c.tenant_id = p_tenant_id)', 'true'),
  mutant('R-048d', CHANGES, 'WHEN p.effect_class IS NULL\n      OR', 'WHEN'),
  mutant(
    'R-048d',
    KINDS,
    "WHEN check_violation OR not_null_violation THEN v_code := 'OPERATION_POLICY_INCOMPLETE'",
    "WHEN check_violation OR not_null_violation THEN v_code := 'LEDGER_REFUSED'",
  ),
  mutant('R-048d', KINDS, "- ARRAY['guide', 'protectionDocument',", "- ARRAY['protectionDocument',"),
  mutant(
    'R-048d',
    CHANGES,
    'UPDATE ledger.operation_policies SET retired_at = ledger.clock()\n    WHERE tenant_id = p.tenant_id',
    'DELETE FROM ledger.operation_policies\n    WHERE tenant_id = p.tenant_id',
  ),
  mutant('R-048d', DRAFT, 'seconds > 86_400 && WITHIN_A_DAY', 'false && WITHIN_A_DAY'),
  mutant('R-048d', DRAFT, 'entries.has(name) || ', ''),
  mutant('R-078b', 'lib/domain/strings-in.ts', 'value.flatMap(stringsIn)', '[]'),
  mutant(
    'R-078b',
    'lib/review/run-command.ts',
    '[] : stringsIn(value)',
    "[] : typeof value === 'string' ? [value] : []",
  ),
  // From the version that was seen
  mutant(
    'R-048e',
    KINDS,
    "IS DISTINCT FROM p_seen THEN 'CHANGED_SINCE_SEEN'",
    'IS DISTINCT FROM p_seen THEN NULL',
  ),
  mutant('R-048e', KINDS, "jsonb_build_object('operationPolicy', p_told->'policy')", "'{}'::jsonb"),
  mutant('R-048e', KINDS, '(tenant_id, operation, kind) WHERE state', '(tenant_id, operation) WHERE state'),
  mutant(
    'R-048e',
    KINDS,
    "operation = v_operation AND kind = p_kind AND state = 'PENDING')",
    "operation = v_operation AND state = 'PENDING')",
  ),
  // The records at hand
  mutant('R-048f', KINDS, "WHEN SQLSTATE 'OO005' THEN v_code := 'POLICY_AGAINST_RECORDS';", ''),
  // The guide, the history
  mutant('R-048g', DRAFT, "if (text.trim() === '') problems", 'if (false) problems'),
  mutant(
    'R-048h',
    'lib/review/policies/get-policies.ts',
    '!ctx.actor.tenantIds.includes(place.tenantId) || ',
    '',
  ),
  mutant(
    'R-048h',
    'lib/review/policies/get-policies.ts',
    "p.state not in ('CONFIRMED', 'APPLIED')",
    "p.state = 'PENDING'",
  ),
  mutant(
    'R-048h',
    'lib/review/policies/get-policies.ts',
    "when p.state = 'PENDING' and p.expires_at <= ledger.clock() then 'EXPIRED' else p.state end",
    'when false then null else p.state end',
  ),
  mutant(
    'R-048h',
    'lib/review/policies/get-policies.ts',
    'where tenant_id is null or tenant_id = $1',
    'where $1::text is not null',
  ),
  // Erasing the words of what holds no more
  mutant('R-089h', WORDS, ' AND retired_at IS NOT NULL;', ';'),
  mutant('R-089h', WORDS, "jsonb_object_agg(code, outcome - 'condition')", 'jsonb_object_agg(code, outcome)'),
  mutant(
    'R-089h',
    WORDS,
    "AND kind = 'OPERATION'\n      AND NOT EXISTS",
    "AND kind = 'OPERATION'\n      AND EXISTS",
  ),
  // Retention and proofs
  mutant('R-039', CHANGES, "THEN 'RETENTION_TOO_SHORT'", 'THEN NULL'),
  mutant(
    'R-039',
    CHANGES,
    '      p.dedupe_window_seconds, p.investigation_seconds)',
    '      0, p.investigation_seconds)',
  ),
  mutant(
    'R-039',
    DRAFT,
    'if (tooShortFor !== null)\n    problems',
    "if (tooShortFor === 'investigationSeconds')\n    problems",
  ),
  mutant('R-016d', CHANGES, 'NOT IN (0, 5)', 'NOT IN (0, 4, 5)'),
  mutant('R-016d', DRAFT, 'missing.length > 0 && missing.length < PROOF.length', 'false'),
  // The preview
  mutant(
    'R-006h',
    PREVIEW,
    "staysAt(pointer, policy.exclude, policy.include) ? 'COUNTS' : 'OUT'",
    "staysAt(pointer, policy.exclude, []) ? 'COUNTS' : 'OUT'",
  ),
  mutant('R-006h', PREVIEW, "type: role === 'OUT' ? null : typeAt(pointer)", 'type: typeAt(pointer)'),
  mutant('R-006h', PREVIEW, '.filter(([pointer]) => !names.has(pointer))', '.filter(() => false)'),
  mutant('R-006h', PREVIEW, 'text.length > LARGEST_PREVIEW', 'false'),
  mutant('R-006h', 'lib/domain/fields.ts', 'back.some(isOver) || (around &&', '(around &&'),
  mutant(
    'R-006h',
    'lib/domain/fields.ts',
    'way.length <= tokens.length && way.every(',
    'way.length === tokens.length && way.some(',
  ),
];
