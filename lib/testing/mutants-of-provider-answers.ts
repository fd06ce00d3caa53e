// Ways of believing a provider more than it can prove, and of waiting for it without end.
import type { Mutant } from './mutant';

const VISITS = 'prisma/migrations/20261205000500_visits_at_the_provider/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});
const access = (rule: string, name: string, find: string, replace: string): Mutant =>
  mutant(rule, `lib/access/${name}`, find, replace);
const times = (find: string, replace: string): Mutant =>
  mutant('R-078q', 'lib/domain/provider-times.ts', find, replace);
const visits = (rule: string, find: string, replace: string): Mutant => mutant(rule, VISITS, find, replace);

export const MUTANTS_OF_PROVIDER_ANSWERS: readonly Mutant[] = [
  mutant(
    'R-078p',
    'lib/domain/provider-claims.ts',
    "if (typeof subject !== 'string' || !SUBJECT.test(subject)) return null;",
    'if (!SUBJECT.test(String(subject))) return null;',
  ),
  mutant('R-078p', 'lib/domain/provider-claims.ts', '{1,255}$/;', '{1,}$/;'),
  times('iat >= now - TOKEN_AGE && ', ''),
  times(' && iat <= now + TOLERANCE', ''),
  times(' && shown <= now + TOLERANCE', ''),
  times("typeof value === 'number' && Number.isFinite(value)", 'Number.isFinite(Number(value))'),
  access('R-078q', 'identity-provider.ts', ' || !timesCanBeTrue(set.claims(), Date.now() / 1_000)', ''),
  visits('R-078r', "ELSE ledger.clock() - interval '12 hours' END", "ELSE '-infinity' END"),
  visits(
    'R-078r',
    "WHEN v_again THEN to_timestamp((p_input->'visit'->>'begunAt')::float8)",
    'WHEN false THEN NULL',
  ),
  visits('R-078r', '(v_again AND p_is_signed_in OR', '(false OR'),
  visits('R-078s', 'SET revoked_at = ledger.clock(), cut_off = true', 'SET revoked_at = ledger.clock()'),
  visits('R-078s', 'greatest(v_cut_off, v_timed_out)', 'v_cut_off'),
  visits('R-078s', "OR coalesce(v_cut_off > ledger.clock() - interval '12 hours', false)", ''),
  access('R-078s', 'through-provider.ts', 'const again = over || ', 'const again = '),
  visits(
    'R-078t',
    'DELETE FROM review.provider_visits WHERE state_digest = p_digest RETURNING begun_at, again',
    'SELECT begun_at, again FROM review.provider_visits WHERE state_digest = p_digest',
  ),
  access('R-078u', 'through-provider.ts', 'named.length === 1 && ', ''),
  access(
    'R-078u',
    'through-provider.ts',
    'return metadata.authorization_response_iss_parameter_supported !== true;',
    'return true;',
  ),
  access(
    'R-078v',
    'through-provider.ts',
    "if (way.kind === 'wait') return",
    "if (way.kind !== 'wait') return",
  ),
  access(
    'R-078v',
    'provider-visit.ts',
    'endAttempt(own, admission.attemptId, outcome)',
    "endAttempt(own, admission.attemptId, 'SUCCEEDED')",
  ),
  access('R-078v', 'provider-visit.ts', '  } catch {\n    return null;', "  } catch {\n    return 'x';"),
  access('R-078w', 'provider-connection.ts', 'if (size > MAX_BYTES) cut();', ''),
  access('R-078x', 'provider-connection.ts', "limit.addEventListener('abort', cut);", ''),
  access(
    'R-078x',
    'identity-provider.ts',
    'client[custom.http_options] = (address) => ({ agent: connections(address) });',
    'client[custom.http_options] = () => ({ agent: new (connections(new URL(metadata.token_endpoint)).constructor as never)() });',
  ),
  access(
    'R-078y',
    'sign-in-by-provider.ts',
    'await actAs(tx, personId);',
    "await tx.query('commit'); await actAs(tx, personId);",
  ),
  access(
    'R-078y',
    'through-provider.ts',
    "else if (problem === 'Unreachable') return fail(passing, way, problem).catch(() => problem);",
    '',
  ),
];
