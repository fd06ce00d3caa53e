// Ways of letting one administrator alone change what is asked outside, or try more than that.
import type { Mutant } from './mutant';

const CHANGES = 'prisma/migrations/20261204000200_connector_changes/migration.sql';
const TRIALS = 'prisma/migrations/20261204000210_connector_trials/migration.sql';
const CHECK = 'lib/review/connectors/recipe-refusal.ts';
const SECRETS = 'lib/review/connectors/trial-secrets.ts';
const TRY = 'lib/review/connectors/try-connector.ts';
const FORM = 'lib/domain/connector-form.ts';
const ROWS = 'lib/domain/connector-rows.ts';
const CREDENTIALS = 'lib/domain/connector-secrets.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_CONNECTORS: readonly Mutant[] = [
  // Two persons
  mutant(
    'R-063o',
    CHANGES,
    "WHEN p.requested_by = f.actor_id THEN 'SELF_APPROVAL'\n    WHEN p.expires_at",
    'WHEN p.expires_at',
  ),
  mutant(
    'R-063o',
    CHANGES,
    "    RAISE EXCEPTION 'a second administrator has to confirm it'",
    "    RETURN NEW; RAISE EXCEPTION 'x'",
  ),
  mutant('R-063o', CHANGES, ' AND recipe = NEW.recipe AND retires', ' AND retires'),
  mutant('R-063o', CHANGES, ' AND retires = (NEW.retired_at IS NOT NULL);', ';'),
  mutant('R-063o', CHANGES, ' AND tenant_id IS NOT DISTINCT FROM NEW.tenant_id', ''),
  mutant('R-063o', CHANGES, 'FOR EACH ROW WHEN (OLD.state', 'FOR EACH ROW WHEN (false AND OLD.state'),
  mutant('R-063o', CHANGES, "AND 'ADMIN' = ANY (q.roles) ", ''),
  mutant(
    'R-063o',
    CHANGES,
    "    WHEN NOT review.carries_connector((f).tenant_ids, p_tenant_id) THEN 'CONNECTOR_FOR_ALL'\n",
    '',
  ),
  mutant(
    'R-063o',
    CHANGES,
    "WHEN NOT coalesce(p_tenant_id = ANY ((f).tenant_ids), true) THEN 'NOT_FOUND'\n",
    '',
  ),

  mutant(
    'R-063o',
    CHANGES,
    "THEN CASE WHEN p_seen = 0 THEN 'CONNECTOR_ID_TAKEN' ELSE 'NOT_FOUND' END",
    "AND p_seen > 0 THEN 'NOT_FOUND'",
  ),
  mutant('R-063o', CHANGES, "(f).input->>'reason') NOT BETWEEN 10", "(f).input->>'reason') NOT BETWEEN 1"),
  mutant('R-063o', CHANGES, 'CASE WHEN c.connector_id IS NULL THEN p_input', 'CASE WHEN true THEN p_input'),
  mutant(
    'R-063o',
    CHANGES,
    'REVOKE INSERT (connector_id, tenant_id, recipe), UPDATE (tenant_id, recipe) ON review.connectors FROM onceover_app;',
    '',
  ),
  mutant('R-063l', CHANGES, "AND NEW.recipe->>'baseUrl' = OLD.recipe->>'baseUrl';", ';'),
  mutant(
    'R-063o',
    'lib/review/connectors/list-connectors.ts',
    "const binding = ['connectors', ...tenants];",
    "const binding = ['connectors'];",
  ),
  mutant('R-063o', 'lib/review/connectors/list-connectors.ts', "${seesTenant('k.tenant_id', own)} and ", ''),
  mutant(
    'R-063o',
    'lib/review/connectors/get-connector.ts',
    "where ${seesTenant('k.tenant_id', '$2::text[]')}",
    'where $2::text[] is not null',
  ),
  // From one version
  mutant(
    'R-063p',
    CHANGES,
    "    WHEN coalesce(c.version, 0) <> p_seen THEN 'CHANGED_SINCE_SEEN' END);",
    '    END);',
  ),
  mutant(
    'R-063p',
    CHANGES,
    "PERFORM pg_advisory_xact_lock(hashtextextended('onceover connector ' || p_connector_id, 0));",
    '',
  ),
  mutant('R-063p', CHANGES, "    WHEN p.expires_at <= f.now THEN 'REQUEST_EXPIRED'\n", ''),
  mutant('R-063p', CHANGES, "jsonb_build_object('connector', v_told)", "'{}'"),
  // History
  mutant('R-063q', CHANGES, '.connector_id AND c.retired_at IS NULL', '.connector_id'),
  mutant('R-063q', 'lib/lookup/lookup-subject.ts', ' AND c.retired_at IS NULL', ''),
  mutant('R-063q', 'lib/review/read-exception-facts.ts', ' and c.retired_at is null', ''),
  mutant(
    'R-063q',
    CHANGES,
    'CREATE TRIGGER connectors_stay BEFORE DELETE OR TRUNCATE',
    'CREATE TRIGGER connectors_stay BEFORE TRUNCATE',
  ),
  mutant(
    'R-063q',
    CHANGES,
    'BEFORE UPDATE OR DELETE OR TRUNCATE ON review.connector_versions',
    'BEFORE TRUNCATE ON review.connector_versions',
  ),
  mutant('R-063j', CHANGES, 'ELSE OLD.version + 1 END', 'ELSE OLD.version END'),
  // What is typed
  mutant('R-063r', CHECK, '!isStorable(recipe) || ', ''),
  mutant('R-063r', CHECK, ' || Buffer.byteLength(JSON.stringify(recipe)) > LONGEST_RECIPE', ''),
  mutant('R-063r', FORM, 'return field.nullable === true ? null : undefined;', 'return undefined;'),
  mutant('R-063r', FORM, 'fault === path || fault.startsWith(`${path}.`)', 'fault === path'),
  mutant('R-063r', FORM, 'required === true && isEmpty(draft.values[key])', 'required === true && false'),
  mutant('R-063r', FORM, 'return new Set(names).size < names.length;', 'return false;'),
  mutant(
    'R-063p',
    ROWS,
    "return named.sort((a, b) => ((a['name'] ?? '') < (b['name'] ?? '') ? -1 : 1));",
    'return named;',
  ),
  mutant('R-063r', CHECK, "issues.map(({ path }) => path.join('.'))", "issues.map(() => '')"),
  mutant(
    'R-063k',
    CHECK,
    "if (fault !== null) return { ok: false, code: 'ADDRESS_REFUSED', faults: ['baseUrl'] };",
    '',
  ),
  mutant('R-063t', CHECK, 'if (secrets.length > 0) return', 'if (false) return'),
  mutant('R-063t', CHECK, 'if (written.length > 0)', 'if (false)'),
  mutant('R-063t', CREDENTIALS, '[member, `${name}=${member}`]', '[member]'),
  mutant('R-063t', CREDENTIALS, 'findSecrets(withoutReferences(text))', 'findSecrets(text)'),
  // Tries
  mutant('R-063s', CREDENTIALS, "text: value.replaceAll(SECRET_REFERENCE, '••••')", 'text: value'),
  mutant('R-063s', TRY, 'if (!input.asks || !built.ok)', 'if (!built.ok)'),
  mutant('R-063s', TRIALS, 'v_code := coalesce(f.refusal, CASE', 'v_code := coalesce(NULL, CASE'),
  mutant('R-063s', TRY, 'if (refusal !== null) return', 'if (false) return'),
  mutant('R-063s', TRY, ": 'foreign';", ': saved;'),
  mutant('R-063t', TRY, 'if (input.asks && standing.withheld.length > 0)', 'if (false)'),
  mutant('R-063t', TRY, 'if (input.asks && !(await hasTurn(ctx, saved)))', 'if (false)'),
  mutant(
    'R-063t',
    TRY,
    'const shown = withoutSecrets(finding, recipe, ctx.asking.secrets);',
    'const shown = withoutSecrets(finding, recipe, {});',
  ),
  mutant('R-063t', SECRETS, 'read.success && placeOf(read.data) === place', 'read.success'),
  mutant('R-063t', SECRETS, ' and (tenant_id is null or tenant_id = $1)', ' and ($1::text is null or true)'),
  mutant('R-063t', SECRETS, 'retired_at is null and ', ''),
];
