// Of the lookup engine: its queue and its places, and when it asks again.
import type { Mutant } from './mutant';

const PLACES = 'lib/lookup/connector-places.ts';
const SCHEDULE = 'lib/domain/lookup-schedule.ts';

export const MUTANTS_OF_PROOF: readonly Mutant[] = [
  {
    rule: 'R-057j',
    file: PLACES,
    find: 'const SHARED_PLACES = { untried: 16, silent: 8 };',
    replace: 'const SHARED_PLACES = { untried: 16, silent: 800 };',
  },
  {
    rule: 'R-057j',
    file: PLACES,
    find: "isSilence(result) ? 'silent' : 'answering'",
    replace: "'answering'",
  },
  { rule: 'R-057k', file: PLACES, find: 'heldMs * rounds', replace: 'heldMs' },
  {
    rule: 'R-065m',
    file: SCHEDULE,
    find: '(lookup.madeSinceHorizon || lookup.made) - 1',
    replace: 'lookup.made - 1',
  },
  {
    rule: 'R-065m',
    file: SCHEDULE,
    find: 'Math.max(1, Math.floor(limits.attempts / 2))',
    replace: '1',
  },
  {
    rule: 'R-065n',
    file: SCHEDULE,
    find: "return askedAt < horizon.usableFrom ? null : 'NEEDS_PERSON';",
    replace: "return 'NEEDS_PERSON';",
  },
];
