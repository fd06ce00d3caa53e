// Ways of breaking the queue: its words, its figures, what it says of changes, and its keys.
import type { Mutant } from './mutant';

const PARSE = 'lib/domain/parse-queue-query.ts';
const PRINT = 'lib/domain/print-queue-query.ts';
const COMPLETE = 'lib/domain/complete-queue-query.ts';
const FACETS = 'lib/review/count-facets.ts';
const FILTER = 'lib/review/exception-filter.ts';
const CHANGES = 'lib/review/changes-since.ts';
const MARKS = 'prisma/migrations/20261206000320_changes_of_the_queue/migration.sql';
const CAUSE = 'prisma/migrations/20261207000200_cause_of_an_exception/migration.sql';
const VIEWS = 'prisma/migrations/20261207000210_queue_views/migration.sql';
const KEEP = 'lib/review/views/keep-view.ts';
const LIST = 'lib/review/views/list-views.ts';
const STEADY = 'lib/domain/steady-rows.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_QUEUE_DESK: readonly Mutant[] = [
  // Words
  mutant('R-051c', PARSE, "return problems.length > 0 ? { kind: 'misread', problems } :", 'return'),
  mutant('R-051c', PARSE, "reason: 'twice', ...whole", "reason: 'no-value', ...whole"),
  mutant('R-051c', PARSE, 'return complete || typed.length', 'return typed.length'),
  mutant('R-051c', PARSE, 'at === closing + 1 }', 'at >= closing + 1 }'),
  mutant('R-051c', PRINT, ' && !LOOKS_LIKE_FILTER.test(query.q)', ''),
  mutant('R-051c', PRINT, 'replace(/["\\\\]/g', 'replace(/["]/g'),
  mutant('R-051c', COMPLETE, "+ before.lastIndexOf(',')", '- 1'),
  // Figures
  mutant('R-051d', FACETS, 'filter((other) => other !== facet)', 'filter(() => true)'),
  mutant('R-051d', FACETS, '>= ${unmet.length - 1}', '>= ${unmet.length}'),
  mutant('R-051d', FACETS, 'more: figure.more || partial', 'more: figure.more'),
  mutant(
    'R-051d',
    FILTER,
    'parts.held = filter.held\n      ? `x.deferred_until > ${NOW}`',
    'parts.held = filter.held\n      ? `x.deferred_until is not null`',
  ),
  mutant(
    'R-051a',
    FILTER,
    "return Object.values(exceptionParts(filter, search, actor, $)).join(' and ') || 'true';",
    "return Object.values({ ...exceptionParts(filter, search, actor, $), due: 'true' }).join(' and ');",
  ),
  mutant(
    'R-051g',
    'lib/review/list-groups.ts',
    'ledger.instant(min(opened_at))',
    'ledger.instant(max(opened_at))',
  ),
  mutant(
    'R-051g',
    'lib/review/list-groups.ts',
    'and ${exceptionConditions(filter, search, ctx.actor, $)}',
    '',
  ),
  mutant('R-051g', FILTER, 'x.cause = any(', 'x.cause >= any('),
  mutant('R-051i', CAUSE, 'THEN left(p_failure_code, 128) ELSE', "THEN 'reported' ELSE"),
  mutant('R-051i', CAUSE, "p_reason IN ('REPORTED',", "p_reason IN ('CONTENT_DIFFERS', 'REPORTED',"),
  mutant('R-051i', CAUSE, 'INSERT OR UPDATE OF reason_code, system', 'INSERT'),
  // Changes
  mutant('R-051e', CHANGES, 'and not pg_visible_in_snapshot(x.changed_in::text::xid8, $2::pg_snapshot)', ''),
  mutant(
    'R-051e',
    CHANGES,
    'x.changed_in >= pg_snapshot_xmin($2::pg_snapshot)',
    'x.changed_in >= pg_snapshot_xmax($2::pg_snapshot)',
  ),
  mutant('R-051e', CHANGES, 'x.tenant_id = any($1::text[])', '$1::text[] is not null'),
  mutant('R-051e', MARKS, 'BEFORE INSERT OR UPDATE', 'BEFORE INSERT'),
  mutant('R-051f', STEADY, 'shown.map((row) => byId.get(idOf(row)) ?? row)', '[...fresh]'),
  mutant('R-051f', STEADY, '|| moved.size > 0', ''),
  // Saved views and columns
  mutant('R-089k', VIEWS, '  DELETE FROM review.queue_views WHERE owner_id = s.person;\n', ''),
  mutant('R-089k', VIEWS, '  DELETE FROM review.queue_columns WHERE person_id = s.person;\n', ''),
  mutant(
    'R-053m',
    LIST,
    'from review.queue_view_shares s where s.tenant_id = any($2::text[]))',
    'from review.queue_view_shares s)',
  ),
  mutant('R-053m', VIEWS, 'IF NOT v_tenants <@ a.tenant_ids THEN', 'IF false THEN'),
  mutant('R-053m', VIEWS, 'UNIQUE (tenant_id, name_key)', 'UNIQUE (tenant_id, name_key, view_id)'),
  mutant('R-053m', KEEP, '.transform(viewName)', '.transform((name) => name.trim())'),
  mutant('R-053m', KEEP, '!tenantIds.includes(tenant)', 'false'),
  mutant('R-053n', VIEWS, 'v.version IS DISTINCT FROM v_version', 'false'),
  mutant('R-053n', VIEWS, 'WHEN v.version IS DISTINCT FROM p_version', 'WHEN false'),
  mutant('R-053n', VIEWS, "AND NOT 'ADMIN' = ANY (a.roles)", 'AND false'),
  mutant('R-053n', VIEWS, 'AND NOT v_tenants <@ a.tenant_ids THEN', 'AND false THEN'),
  mutant('R-053n', VIEWS, 'IF v.owner_id <> a.person_id THEN RETURN', 'IF false THEN RETURN'),
  mutant('R-053o', VIEWS, 'AND review.names_each_once(columns)', ''),
  mutant(
    'R-053o',
    'lib/review/views/queue-columns.ts',
    'where person_id = $1::uuid',
    'where $1::uuid is not null',
  ),
  // Keys
  mutant('R-047c', 'lib/domain/letter-of.ts', ' || press.isComposing', ''),
  mutant('R-047c', 'lib/domain/letter-of.ts', 'press.defaultPrevented || ', ''),
];
