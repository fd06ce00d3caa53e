// Ways of breaking what is drawn of a lineage, and what is done with many exceptions at once.
import type { Mutant } from './mutant';

const LINEAGE = 'lib/domain/lineage.ts';
const READ_LINEAGE = 'lib/review/read-lineage.ts';
const MANY = 'lib/review/act-on-many.ts';
const PREVIEW = 'lib/review/preview-links.ts';
const LINK = 'lib/domain/bulk-link.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_BULK: readonly Mutant[] = [
  mutant(
    'R-072b',
    LINEAGE,
    'branches: others.filter((each) => !placed.has(each.executionId)).map(lineFrom),',
    'branches: [],',
  ),
  mutant('R-072b', LINEAGE, '(each) => !placed.has(each.executionId),\n      );', '() => true,\n      );'),
  mutant(
    'R-072b',
    READ_LINEAGE,
    'where e.execution_id = $1::uuid and e.tenant_id = any($2::text[])',
    'where e.execution_id = $1::uuid',
  ),
  mutant('R-072b', READ_LINEAGE, 'e.execution_id is distinct from w.came_from and ', ''),
  mutant('R-072c', LINEAGE, 'isLive: !member.superseded && LIVE', 'isLive: LIVE'),
  mutant('R-072c', LINEAGE, 'isNeighbour: member.lineageId !== own', 'isNeighbour: false'),
  mutant('R-072c', READ_LINEAGE, "and d.verdict = 'APPROVE'), '[]'))", "and d.verdict = 'REJECT'), '[]'))"),
  mutant('R-072d', READ_LINEAGE, '(select count(*) > ${LARGEST_LINEAGE} from', '(select false from'),
  mutant('R-072d', READ_LINEAGE, '(select count(*) > ${', '(select count(*) >= ${'),
  mutant('R-072d', READ_LINEAGE, 'from walk limit ${LARGEST_LINEAGE})\n', 'from walk)\n'),

  // Many at once
  mutant('R-053a', MANY, "return { outcome: 'unknown' };", 'throw error;'),
  mutant(
    'R-053a',
    'lib/domain/bulk-acts.ts',
    "refused: count('refused'),",
    "refused: count('refused', 'unknown'),",
  ),
  mutant(
    'FE-18',
    MANY,
    'run: () => linkConclusive(ctx, row) }));',
    "run: async () => ({ outcome: 'done', repeated: false }) }));",
  ),
  mutant('AZ-06', MANY, 'if (notFound > 0) {', 'if (false) {'),
  mutant(
    'R-053b',
    MANY,
    'exception_id = any($1::uuid[]) and tenant_id = any($2::text[])',
    'exception_id = any($1::uuid[]) and $2::text[] is not null',
  ),
  mutant(
    'R-053b',
    PREVIEW,
    'where x.exception_id = any($1::uuid[]) and x.tenant_id = any($2::text[])',
    'where x.exception_id = any($1::uuid[]) and $2::text[] is not null',
  ),
  mutant(
    'R-053c',
    MANY,
    'if (rows[0] === undefined || !isConclusive(rows[0])) {',
    'if (rows[0] === undefined) {',
  ),
  mutant('R-053c', LINK, '!look.byPerson &&', ''),
  mutant('R-053c', LINK, 'look.accountMatch === true &&', ''),
  mutant('R-053c', LINK, 'isConclusive(look) ? standing', 'true ? standing'),
  mutant('R-053c', PREVIEW, 'times > 1 ?', 'false ?'),
  mutant('R-053c', PREVIEW, 'look?.elsewhere === true', 'false'),
  mutant('R-053d', MANY, 'z.array(row).min(1).max(BULK_CAP)', 'z.array(row).min(1)'),
  mutant('R-053d', MANY, 'areDifferent(rows.map((row) => row.exceptionId))', 'rows.length > 0'),
  mutant(
    'R-053e',
    MANY,
    'linkResult(ctx, { ...row,',
    'linkResult(ctx, { ...row, operationId: crypto.randomUUID(),',
  ),
];
