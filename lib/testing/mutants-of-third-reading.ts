// Ways of breaking what a third reader found doubtful or badly said.
import type { Mutant } from './mutant';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_THIRD_READING: readonly Mutant[] = [
  // What was shown
  mutant(
    'R-088v',
    'lib/domain/audit-shown.ts',
    "actStage(event.event) === 'REQUESTED' ? 'ASKED'",
    "actStage(event.event) === 'DECIDED' ? 'ASKED'",
  ),
  mutant(
    'R-088v',
    'lib/domain/audit-shown.ts',
    "saysNoneOf(event, 'shownEvidenceId') ? 'NONE'",
    "saysNoneOf(event, '') ? 'NONE'",
  ),
  mutant('R-088v', 'lib/domain/audit-shown.ts', "evidenceId === lookupId ? 'IT'", "evidenceId === '' ? 'IT'"),
  mutant('R-088v', 'components/audit/body-panels.tsx', '!told.has(name)', "name !== ''"),
  mutant(
    'R-088v',
    'components/audit/shown-panel.tsx',
    'if (arrivals === null)',
    'if (arrivals !== undefined)',
  ),
  mutant('R-088v', 'components/audit/shown-panel.tsx', 'sameContent={conflict === null}', 'sameContent'),
  mutant(
    'R-088v',
    'lib/review/read-arrivals-between.ts',
    'i.received_at > $3::timestamptz and',
    '$3::timestamptz is not null and',
  ),
  mutant(
    'R-088v',
    'lib/review/read-arrivals-between.ts',
    'e.tenant_id = any($2::text[])',
    '$2::text[] is not null',
  ),

  // What came of it
  mutant('R-088w', 'components/audit/after-panel.tsx', '{since !== null && (', '{since === null && ('),
  mutant(
    'R-088w',
    'lib/domain/audit-story.ts',
    'other.executionId === event.executionId,',
    'other.executionId !== undefined,',
  ),
  mutant(
    'R-088w',
    'lib/domain/audit-shown.ts',
    "[detailOf(event, 'newExecutionId'), amountIn(event, 'new')]",
    "[detailOf(event, 'newExecutionId'), amountIn(event, 'both')]",
  ),

  // Whose words
  mutant(
    'R-088x',
    'components/audit/summary.tsx',
    'decider !== null && summary?.kind',
    "decider === '' && summary?.kind",
  ),

  // The second person
  mutant(
    'R-088y',
    'components/audit/second-person.tsx',
    'const missing = needed - agreed.length;',
    'const missing = needed;',
  ),
  mutant(
    'R-088y',
    'lib/domain/audit-story.ts',
    "event.approvalRequestId === approvalRequestId && event.outcome === 'done'",
    "event.outcome === 'done'",
  ),
  mutant(
    'R-088y',
    'components/audit/second-person.tsx',
    'role === null ? rolesFor',
    'role !== null ? rolesFor',
  ),

  // The events about one thing
  mutant(
    'R-088z',
    'lib/domain/audit-story.ts',
    'other.number !== event.number && second(other)',
    'other.number === event.number && second(other)',
  ),

  // How a look came about
  mutant(
    'R-088aa',
    'lib/domain/audit-story.ts',
    "first?.number === look.number ? 'AT_OPENING'",
    "first?.number !== look.number ? 'AT_OPENING'",
  ),
  mutant(
    'R-088aa',
    'lib/domain/audit-story.ts',
    'standingOf(look, story).afterApproval) return',
    "standingOf(look, story).about === 'NEW') return",
  ),
  mutant('R-088aa', 'lib/domain/audit-told.ts', "verdict === 'APPLIED') return", "verdict === '') return"),

  // Which of several matters
  mutant('R-088ab', 'components/audit/audit-table.tsx', 'subject.businessRef ?? subject.key', 'subject.key'),
  mutant('R-088ab', 'components/person/avatar.tsx', ': [0, 2]', ': [0, 1]'),
  mutant('R-088ab', 'lib/review/read-subjects.ts', 'e.tenant_id = any($2::text[])', '$2::text[] is not null'),

  // Words with what they mean, and what was not done outside
  mutant('R-088ac', 'lib/domain/audit-words.ts', 'beside !== word && has(beside) ? beside : null', 'null'),
  mutant('R-088ac', 'components/ui/fact-list.tsx', 'fact.meaning == null', 'true'),
  mutant(
    'R-088ac',
    'components/audit/body-panels.tsx',
    '<Meant meaning={termOf(name)}>',
    '<Meant meaning={null}>',
  ),
  mutant('R-083b', 'components/approval/stages.tsx', '{t(`stageDone.${request.kind}`)}', ''),
];
