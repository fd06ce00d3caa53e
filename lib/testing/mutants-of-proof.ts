// Of the lookup engine: its queue and its places, and when it asks again.
import type { Mutant } from './mutant';

const PLACES = 'lib/lookup/connector-places.ts';
const HEADLINE = 'components/evidence/evidence-headline.tsx';
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
    find: 'unanswered >= SILENT_AFTER',
    replace: 'unanswered >= 1_000',
  },
  {
    rule: 'R-057j',
    file: PLACES,
    find: 'const SILENT_AFTER = 3;',
    replace: 'const SILENT_AFTER = 1;',
  },
  {
    rule: 'R-057k',
    file: PLACES,
    find: 'Math.max(now, this.filledUntil.get(connectorId) ?? now) + step',
    replace: 'now + step',
  },
  {
    rule: 'R-057i',
    file: 'lib/commands/worker-process.ts',
    find: "await queue('asking', askingTasks(needs)),\n    await queue('own', { ...ownTasks(needs), ...more }),",
    replace: "await queue('asking', { ...askingTasks(needs), ...ownTasks(needs), ...more }),",
  },
  {
    rule: 'R-057l',
    file: 'lib/domain/lookup-finding.ts',
    find: 'if (standing.length > 1)',
    replace: 'if (standing.length > 2)',
  },
  {
    // What reads the answer calls a redirect by its name as well: only whoever asks for the address itself sees the difference.
    rule: 'SS-06',
    file: 'lib/lookup/guarded-fetch.ts',
    find: 'statusCode >= 300 && statusCode < 400',
    replace: 'false',
  },
  {
    rule: 'R-062q',
    file: HEADLINE,
    find: " || standing === 'UNCLEAR')",
    replace: ')',
  },
  {
    rule: 'R-062r',
    file: HEADLINE,
    find: "standing === 'MATCH' && recommended === 'LINK_RESULT'",
    replace: "standing === 'MATCH'",
  },
  {
    rule: 'R-064n',
    file: HEADLINE,
    find: "standing === 'NOT_APPLIED_TOO_EARLY' && lookup !== null && !settled",
    replace: 'false',
  },
  {
    rule: 'R-065o',
    file: 'components/evidence/lookup-meta.tsx',
    find: "lookup.ending ?? 'OTHER'",
    replace: "'OTHER'",
  },
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
