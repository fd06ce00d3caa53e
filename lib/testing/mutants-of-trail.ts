// Ways of breaking what the audit keeps of itself: checkpoints that are asked for, erased texts, sealed ranges.
import type { Mutant } from './mutant';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_TRAIL: readonly Mutant[] = [
  mutant('R-087m', 'lib/audit/kept-trail.ts', `where kind <> 'checkpoint'`, `where kind = 'key'`),
  mutant(
    'R-087m',
    'lib/audit/kept-trail.ts',
    'greatest(last - $1 + 1, 1), last)',
    'greatest(last - $1 + $1, 1), last)',
  ),
];
