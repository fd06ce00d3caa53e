// Ways of opening what the desk keeps closed: another tenant's things, members beside a form, weak builds and starts.
import type { Mutant } from './mutant';

const DECISIONS = 'prisma/migrations/20261129000900_decisions/migration.sql';
const LEDGER = 'prisma/migrations/20261129000400_ledger/migration.sql';
const PEOPLE = 'prisma/migrations/20261201000310_people_acts/migration.sql';
const INPUT = 'prisma/migrations/20261130000240_open_input/migration.sql';
const TRANSACTION = 'lib/db/transaction.ts';
const FORMS = 'lib/review/command-input.ts';
const STARTS = 'lib/commands/production-checks.mjs';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_PAGES: readonly Mutant[] = [
  // Whose it is
  mutant(
    'AZ-05',
    'lib/db/cursor.ts',
    "for (const part of [...binding.map((text) => Buffer.from(text, 'utf8')), body])",
    'for (const part of [body])',
  ),
  mutant(
    'AZ-06',
    DECISIONS,
    `  -- Another tenant's exception and a missing one are the same answer.
  IF NOT FOUND OR NOT (f.exception).tenant_id = ANY (v_actor.tenant_ids) THEN`,
    '  IF NOT FOUND THEN',
  ),
  mutant(
    'AZ-06',
    DECISIONS,
    `  IF NOT FOUND OR NOT (f.exception).tenant_id = ANY (v_actor.tenant_ids) THEN
    f.exception := NULL;
    f.refusal := 'NOT_FOUND';`,
    `  IF NOT FOUND THEN
    f.exception := NULL;
    f.refusal := 'NOT_FOUND';`,
  ),
  mutant(
    'AZ-06',
    PEOPLE,
    'OR NOT ((f.person).tenant_ids && v_actor.tenant_ids OR cardinality((f.person).tenant_ids) = 0) THEN',
    'THEN',
  ),
  mutant(
    'AZ-07',
    FORMS,
    'export const decisionInput = z.strictObject({',
    'export const decisionInput = z.object({',
  ),
  mutant(
    'AZ-09',
    FORMS,
    'export const deskActInput = z.strictObject({',
    'export const deskActInput = z.object({',
  ),
  mutant(
    'AZ-09',
    'lib/review/people/people-input.ts',
    'export const personInput = z.strictObject({',
    'export const personInput = z.object({',
  ),
  mutant(
    'AZ-10',
    INPUT,
    `review.may_decide(v_actor.roles, ARRAY['OPERATOR', 'APPROVER'], v_actor.authorities, (ledger.policy_for(v_row.tenant_id, v_row.operation)).authority),`,
    '',
  ),
  mutant(
    'AZ-15',
    'lib/domain/permissions.ts',
    "const operators: readonly Role[] = ['OPERATOR', 'APPROVER'];",
    "const operators: readonly Role[] = ['OPERATOR', 'APPROVER', 'ADMIN'];",
  ),
  mutant(
    'AZ-17',
    LEDGER,
    `  USING (principal_id = (SELECT ledger.session_principal()))
  WITH CHECK`,
    `  USING (true)
  WITH CHECK`,
  ),
  mutant(
    'AZ-18',
    TRANSACTION,
    '${client.escapeLiteral(value)}, true)`',
    '${client.escapeLiteral(value)}, false)`',
  ),
  // Headers
  mutant(
    'AZ-03',
    'proxy.ts',
    'const open = OPEN_PAGES.test(pathname)',
    "const open = request.headers.has('rsc') || OPEN_PAGES.test(pathname)",
  ),
  mutant(
    'HD-02',
    'proxy.ts',
    "{ origin: request.headers.get('origin'),",
    "{ origin: `https://${request.headers.get('x-forwarded-host')}` === request.headers.get('origin') ? canonicalOrigin() : request.headers.get('origin'),",
  ),
  mutant(
    'HD-03',
    'proxy.ts',
    'return finish(new NextResponse(null, { status: 403 }), policy);',
    'return new NextResponse(null, { status: 403 });',
  ),
  // What it is made of
  mutant(
    'SC-01',
    'lib/commands/floor.ts',
    'if (difference !== 0) return difference < 0;',
    'if (difference !== 0) return difference > 0;',
  ),
  mutant('SC-01', 'lib/commands/floor.ts', 'if (version === null) return', 'if (false) return'),
  mutant('SC-02', 'lib/commands/supply.ts', "inBundle === true || integrity.startsWith('sha512-')", 'true'),
  mutant('SC-02', 'lib/commands/supply.ts', 'resolved !== undefined || ', ''),
  mutant('SC-04', 'lib/commands/artefact.mjs', 'found.push(name);', 'continue;'),
  mutant(
    'SC-04',
    'lib/commands/artefact.mjs',
    'inPackage && ASIDE_FOLDER.test(entry.name)',
    'ASIDE_FOLDER.test(entry.name)',
  ),
  mutant(
    'SC-05',
    'lib/commands/secret-scan.ts',
    '.filter((found) => new Set(found.slice(-24)).size >= VARIETY)',
    '',
  ),
  mutant('SC-05', 'lib/commands/secret-scan.ts', 'MARKS.flatMap(', 'MARKS.slice(3).flatMap('),
  mutant('SC-06', STARTS, "complainAboutSecret('FIELD_HASH_KEY', env.FIELD_HASH_KEY),", 'null,'),
  mutant('SC-06', STARTS, '    ...complainAboutDebugging(env),\n', ''),
  mutant(
    'SC-06',
    STARTS,
    "return 'NEXTAUTH_URL is no address.';",
    'return `NEXTAUTH_URL is no address: ${value}`;',
  ),
  mutant('SC-06', STARTS, "role.owns && 'owns the schemas',", ''),
];
