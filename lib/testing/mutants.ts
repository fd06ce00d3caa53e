// Small ways of breaking the product, each with the rule whose tests must notice. `npm run rules -- --mutate` runs them.
import { MUTANTS_OF_DOMAIN } from './mutants-of-domain';
import { MUTANTS_OF_SQL } from './mutants-of-sql';

export interface Mutant {
  /** The rule or part whose tests must fail: `R-012a`. */
  rule: string;
  /** A migration, or a module under lib. */
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
}

export const MUTANTS: readonly Mutant[] = [...MUTANTS_OF_SQL, ...MUTANTS_OF_DOMAIN];
