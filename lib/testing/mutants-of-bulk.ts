// Ways of breaking what is drawn of a lineage, and what is done with many exceptions at once.
import type { Mutant } from './mutant';

const LINEAGE = 'lib/domain/lineage.ts';
const READ_LINEAGE = 'lib/review/read-lineage.ts';

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
];
