import type { Mutant } from './mutants';

export const MUTANTS_OF_SQL: readonly Mutant[] = [];
