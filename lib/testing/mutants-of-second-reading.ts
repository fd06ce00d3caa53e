// Ways of breaking what a second reader without the code had to match by eye, or took for something else.
import type { Mutant } from './mutant';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_SECOND_READING: readonly Mutant[] = [
  // What an event names leads there; what it could have had and had not is said
  mutant(
    'R-088o',
    'lib/domain/audit-story.ts',
    "LOOKS.includes(event) && outcome === 'done'",
    "outcome !== 'done'",
  ),
  mutant(
    'R-088o',
    'components/audit/member-value.tsx',
    'LOOKS.includes(name) ? lookEvents',
    "name === '' ? lookEvents",
  ),
  mutant(
    'R-088o',
    'lib/domain/audit-told.ts',
    "saysNoneOf({ body }, 'shownEvidenceId')",
    "saysNoneOf({ body }, '')",
  ),
  mutant('R-088o', 'lib/domain/audit-told.ts', 'authoritiesThen !== null && amountUntold', 'amountUntold'),

  // What they saw of a correction, as the request keeps it
  mutant(
    'R-088p',
    'lib/review/read-arrivals.ts',
    'coalesce(first.display_fields, e.display_fields) as',
    'coalesce(e.display_fields, first.display_fields)  as',
  ),
  mutant(
    'R-088p',
    'lib/review/read-arrivals.ts',
    'where r.request_id = $1::uuid and r.tenant_id = any($2::text[])',
    'where r.request_id = $1::uuid and $2::text[] is not null',
  ),
  mutant(
    'R-088p',
    'lib/domain/audit-grounds.ts',
    "name === 'version')?.before",
    "name === 'version')?.after",
  ),

  // What is known outside
  mutant(
    'R-088q',
    'lib/domain/ledger-since.ts',
    "looks.verdict === 'APPLIED' && same",
    "looks.verdict === 'APPLIED'",
  ),
  mutant('R-088q', 'lib/domain/ledger-since.ts', "looks.verdict === 'APPLIED' && same", 'same'),
  mutant(
    'R-088q',
    'lib/review/read-ledger-since.ts',
    'and l.checked_at > w.since',
    'and l.checked_at > w.since - interval $$10 years$$',
  ),

  // Whose execution a line of the story is about
  mutant(
    'R-088r',
    'lib/domain/audit-story.ts',
    "newIds.includes(line.executionId) ? 'NEW'",
    "newIds.includes('') ? 'NEW'",
  ),
  mutant('R-088r', 'lib/domain/audit-story.ts', 'const untold = made.length === 0 ||', 'const untold ='),
  mutant(
    'R-088r',
    'lib/domain/audit-story.ts',
    "memberOf(event, 'evidenceId') === lookupId",
    "memberOf(event, 'evidenceId') !== ''",
  ),

  // As what the decider acted, and whether one was enough
  mutant(
    'R-088s',
    'lib/domain/audit-story.ts',
    'other.approvalRequestId === event.approvalRequestId &&\n        other.outcome',
    'other.outcome',
  ),
  mutant('R-088s', 'components/audit/decider-facts.tsx', '...thenFacts(decided)', '...thenFacts(event)'),
  mutant(
    'R-088s',
    'lib/domain/audit-grounds.ts',
    "approvalRequestId === null ? 'NOT_NEEDED'",
    "approvalRequestId === '' ? 'NOT_NEEDED'",
  ),

  // Whoever asked or decided finds what the system carried out
  mutant('R-088t', 'lib/review/about-people.ts', 'where r.requested_by = any', 'where r.exception_id = any'),
  mutant('R-088t', 'lib/review/about-people.ts', 'where d.approver_id = any', 'where d.operation_id = any'),
  mutant('R-088t', 'lib/review/about-people.ts', "e.event !~ '[._]requested$'", "e.event <> ''"),
  mutant(
    'R-088t',
    'lib/review/audit-filter.ts',
    'parts.push(aboutPeople([filter.actorId], $))',
    "parts.push(`e.actor_id = ${$.add(filter.actorId, 'text')}`)",
  ),
  mutant(
    'R-088t',
    'lib/review/audit-search.ts',
    '[aboutPeople(actors, $)]',
    "[`e.actor_id = any(${$.add(actors, 'text[]')})`]",
  ),

  // The verifier's words
  mutant(
    'R-088c',
    'lib/audit/verifier/export-reading.mjs',
    'each < this.unsignedFrom',
    'each !== this.unsignedFrom',
  ),
  mutant(
    'R-088c',
    'lib/audit/verifier/export-reading.mjs',
    'this.loose.length < MOST_NAMED',
    'this.loose.length < 99',
  ),
  mutant(
    'R-088c',
    'lib/audit/verifier/verify-export.mjs',
    "CSV_HEAD.test(each) ? 'CSV' : 'HEADER'",
    "'HEADER'",
  ),
  mutant('R-088g', 'app/(desk)/audit/emptiness.ts', 'if (text) return', 'if (text && !narrowed) return'),
];
