import type { Mutant } from './mutants';

export const MUTANTS_OF_DOMAIN: readonly Mutant[] = [];
