import type { Mutant } from './mutant';

export const MUTANTS_OF_SQL: readonly Mutant[] = [];
