// Ways of breaking sign-in by a provider, and the checks of sign-in and session.
import type { Mutant } from './mutant';

const OPENING = 'prisma/migrations/20261203000600_sign_in_holds_still/migration.sql';
const TWO = 'prisma/migrations/20261203000610_two_for_tenants_and_enabling/migration.sql';
const LAPSES = 'prisma/migrations/20261204000110_resets_and_lapses/migration.sql';
const PROVIDER = 'prisma/migrations/20261202000200_provider_sign_in/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});
const access = (rule: string, name: string, find: string, replace: string): Mutant =>
  mutant(rule, `lib/access/${name}`, find, replace);

export const MUTANTS_OF_SIGN_IN: readonly Mutant[] = [
  // The provider's answer
  access(
    'AN-05',
    'identity-provider.ts',
    "checks: ['pkce', 'state', 'nonce'],",
    "checks: ['state', 'nonce'],",
  ),
  access(
    'AN-05',
    'identity-provider.ts',
    "checks: ['pkce', 'state', 'nonce'],",
    "checks: ['pkce', 'nonce'],",
  ),
  access(
    'AN-17',
    'identity-provider.ts',
    "checks: ['pkce', 'state', 'nonce'],",
    "checks: ['pkce', 'state'],",
  ),
  access(
    'AN-17',
    'through-provider.ts',
    "else if (problem === 'ProviderFailed') return fail(passing, way, problem);",
    '',
  ),
  access(
    'AN-05',
    'through-provider.ts',
    "if (state === null) return 'ProviderFailed';",
    "if (state === null) return fail(passing, { kind: 'admitted', visit: null, end: async () => undefined }, 'ProviderFailed');",
  ),
  access('AN-17', 'auth-request.ts', 'more.length === 0 &&', ''),
  access(
    'AN-13',
    'auth-request.ts',
    "if (segments.join('/') === `signin/${PROVIDER_ID}`) return query;",
    'Object.assign(query, Object.fromEntries(searchParams));',
  ),
  access('AN-13', 'provider-metadata.ts', '.refine(isTrustedAddress)', ''),
  access('AN-13', 'provider-metadata.ts', 'if (metadata.issuer !== issuer)', 'if (false)'),
  access(
    'AN-13',
    'provider-settings.mjs',
    'const missing = needed.filter((name) => !env[name]);',
    "const missing = needed.filter((name) => !env[name] && name !== 'OIDC_CLIENT_SECRET');",
  ),
  access(
    'AN-13',
    'provider-settings.mjs',
    "(url.protocol === 'http:' && LOOPBACK.test(url.hostname))",
    "url.protocol === 'http:'",
  ),
  access(
    'AN-11',
    'auth-options.ts',
    'state: { name: PROVIDER_COOKIES.state, options: COOKIE },',
    'state: { name: PROVIDER_COOKIES.state, options: { ...COOKIE, httpOnly: false } },',
  ),
  // Whom it names
  mutant(
    'AN-19',
    'lib/domain/provider-claims.ts',
    "own(about, 'email_verified') === true",
    "own(about, 'email_verified')",
  ),
  mutant(
    'AN-19',
    'lib/domain/provider-claims.ts',
    "own(about, 'email_verified') === true",
    "(own(token, 'email_verified') ?? own(answer, 'email_verified')) === true",
  ),
  mutant(
    'AN-19',
    'lib/domain/email-identity.ts',
    ' || !/^[\\x21-\\x7e]+$/.test(given)) return null;',
    ') return null;',
  ),
  mutant(
    'R-078i',
    PROVIDER,
    "OR subject <> p_input->>'subject' AND person_id = (p).person_id AND ended_at IS NULL",
    '',
  ),
  mutant('AN-19', LAPSES, '((p).password_hash IS NOT NULL OR', '(false OR'),
  mutant(
    'AN-19',
    PROVIDER,
    "\n           AND (p_present).authenticated_at > ledger.clock() - interval '15 minutes'",
    '',
  ),
  mutant(
    'R-078i',
    PROVIDER,
    'SET password_hash = NULL WHERE person_id = (p).person_id AND password_hash IS NOT NULL;',
    'SET locale = locale WHERE false;',
  ),
  mutant('R-078i', PROVIDER, 'review.end_sessions_of((p).person_id, NULL, NULL)', '0'),
  mutant('R-078i', PROVIDER, "WHEN v_present.person_id <> p.person_id THEN 'OTHER_PERSON'", ''),
  mutant('AN-07', PROVIDER, "WHEN p.disabled_at IS NOT NULL THEN 'PERSON_DISABLED'", ''),
  mutant(
    'R-078i',
    PROVIDER,
    'ALTER TABLE review.people ENABLE ALWAYS TRIGGER people_have_one_way_in;',
    'ALTER TABLE review.people DISABLE TRIGGER people_have_one_way_in;',
  ),
  mutant(
    'R-078l',
    PROVIDER,
    'UPDATE review.identities SET ended_at = f.now WHERE person_id = v_had.person_id AND ended_at IS NULL;',
    '',
  ),
  mutant(
    'R-078i',
    PROVIDER,
    "coalesce(\n      (SELECT person_id FROM review.identities WHERE issuer = p_input->>'issuer' AND subject = p_input->>'subject' AND ended_at IS NULL),",
    'coalesce(',
  ),
  mutant(
    'AN-19',
    PROVIDER,
    'ALTER TABLE review.identities ENABLE ALWAYS TRIGGER identities_keep;',
    'ALTER TABLE review.identities DISABLE TRIGGER identities_keep;',
  ),
  mutant(
    'AN-05',
    PROVIDER,
    "IF current_setting('onceover.actor_id', true) IS DISTINCT FROM 'system:login' THEN",
    'IF false THEN',
  ),
  access(
    'R-078i',
    'change-password.ts',
    "if (person.identities.length > 0) return refuse(pool, acting, 'PROVIDER_SIGNS_IN');",
    '',
  ),
  // What it gives
  mutant('R-078h', PROVIDER, "AND kind = 'ROLE' AND issuer IS NULL\n", "AND kind = 'ROLE'\n"),
  mutant(
    'R-078h',
    PROVIDER,
    "WHERE person_id = p_person_id AND kind = 'ROLE' AND issuer IS NULL\n    UNION SELECT unnest(v_given)",
    'WHERE false UNION SELECT unnest(v_given)',
  ),
  mutant('R-078h', PROVIDER, 'name = ANY (v_given) AND NOT name = ANY (v_had);', 'name = ANY (v_given);'),
  mutant(
    'R-078g',
    PROVIDER,
    "EXCEPTION WHEN SQLSTATE 'OA012' THEN\n    PERFORM",
    "EXCEPTION WHEN SQLSTATE 'OA999' THEN\n    PERFORM",
  ),
  mutant(
    'R-078h',
    PROVIDER,
    "PERFORM review.append_audit('people.rights_changed', 'done', NULL, NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object(\n      'personId'",
    "PERFORM (jsonb_build_object(\n      'personId'",
  ),
  mutant('R-078h', PROVIDER, "CHECK (issuer IS NULL OR kind = 'ROLE');", 'CHECK (true);'),
  mutant(
    'R-078h',
    PROVIDER,
    'GRANT SELECT ON review.identities TO onceover_app;',
    'GRANT SELECT, INSERT, UPDATE ON review.identities TO onceover_app;',
  ),
  mutant(
    'R-078f',
    TWO,
    "PERFORM review.file_grant(f, v_by_hand, v_had.authorities, '{}');\n  PERFORM review.audit_people(f, 'people.reset'",
    "PERFORM review.file_grant(f, v_had.roles, v_had.authorities, '{}');\n  PERFORM review.audit_people(f, 'people.reset'",
  ),
  // When it was shown
  mutant('R-078d', OPENING, "WHEN p_input->>'authTime' IS NULL THEN '-infinity'\n", ''),
  mutant(
    'R-078d',
    OPENING,
    "ELSE least(to_timestamp((p_input->>'authTime')::float8), ledger.clock()) END)",
    'ELSE ledger.clock() END)',
  ),
  access('R-078d', 'through-provider.ts', "again ? { prompt: 'login', max_age: '0', ...hint } : {}", '{}'),
  mutant(
    'R-078d',
    'lib/domain/provider-claims.ts',
    "const time = own(token, 'auth_time');",
    "const time = own(token, 'auth_time') ?? own(answer, 'auth_time');",
  ),
  // Leaving
  access('AN-06', 'sign-out.ts', 'if (await revokeSession(tx, secret))', 'if (true)'),
  access('AN-06', 'auth-handler.ts', 'if (farewell !== null) answer.leadTo(farewell);', ''),
  // Sign-in and session, to the letter
  access(
    'AN-03',
    'sign-in.ts',
    'email: z.string().min(1), password: z.string().min(1)',
    'email: z.any(), password: z.any()',
  ),
  access(
    'AN-05',
    'session-secret.ts',
    "return randomBytes(32).toString('base64url');",
    "return 'A'.repeat(43);",
  ),
  access(
    'AN-10',
    'auth-request.ts',
    "callbackUrl: ourAddress(typeof callbackUrl === 'string' ? callbackUrl : null)",
    'callbackUrl',
  ),
  access(
    'AN-11',
    'auth-options.ts',
    "session: { strategy: 'jwt', maxAge: ABSOLUTE_SECONDS },",
    "session: { strategy: 'jwt', maxAge: 2 * ABSOLUTE_SECONDS },",
  ),
  mutant('AN-14', 'lib/domain/password-rules.ts', "normalize('NFKC').toLowerCase()", "normalize('NFKC')"),
  access('AN-15', 'password.ts', 'memoryCost: 19_456', 'memoryCost: 9_456'),
  mutant(
    'AN-02',
    'lib/domain/sign-in-throttle.ts',
    'const PAIR: Rule = { free: 5, cap: 60 };',
    'const PAIR: Rule = { free: 5, cap: 6_000 };',
  ),
];
