// Ways of breaking what somebody without the code asks the audit: in which authority, seeing what, where looked, why, and what then.
import type { Mutant } from './mutant';

const MOMENT = 'prisma/migrations/20261204000600_moment_of_an_act/migration.sql';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_AUDITORS_QUESTIONS: readonly Mutant[] = [
  // In which authority
  mutant('R-086i', MOMENT, "jsonb_build_object('authoritiesThen', v_authorities)", "'{}'::jsonb"),
  mutant(
    'R-086i',
    'lib/domain/audit-body.ts',
    'Array.isArray(authoritiesThen) ? authoritiesThen.map(String) : null',
    'Array.isArray(authoritiesThen) ? authoritiesThen.map(String) : []',
  ),
  mutant(
    'R-086i',
    'components/audit/decider-facts.tsx',
    'if (authoritiesThen === null) return',
    'if (authoritiesThen?.length === 99) return',
  ),

  // Seeing what
  mutant('R-086j', MOMENT, "'stakeAmount', v.amount::text", "'stakeAmount', NULL"),
  mutant('R-086j', MOMENT, "'targetAccount', e.target_account", "'targetAccount', NULL"),
  mutant(
    'R-086j',
    'lib/review/read-kept-looks.ts',
    'l.lookup_id = any($1::uuid[]) and l.tenant_id = any($2::text[])`',
    'l.lookup_id = any($1::uuid[])`',
  ),
  mutant('R-086j', 'lib/domain/kept-look.ts', "=== look.digest) return 'AGREES'", "!== '') return 'AGREES'"),
  mutant('R-086j', 'lib/domain/kept-look.ts', "name === 'erased')", "name !== '')"),
  mutant(
    'R-086j',
    'components/audit/look-facts.tsx',
    '<Comparison lines={look.comparison} />',
    '<Comparison lines={[]} />',
  ),

  // Why, and on which evidence
  mutant(
    'R-086k',
    'lib/domain/audit-grounds.ts',
    'rationale === null && !erased &&',
    'rationale === null &&',
  ),
  mutant('R-086k', 'lib/domain/audit-grounds.ts', '![event, request].some', '![event].some'),
  mutant('R-086k', 'components/audit/event-context.tsx', '{noLook && (', '{noLook && false && ('),
  mutant(
    'R-086l',
    'components/audit/member-words.ts',
    "if (name === 'approvalPolicyVersion' &&",
    "if (name === '' &&",
  ),
  mutant(
    'R-086l',
    'components/approval/request-basis.tsx',
    'version: request.terms.version',
    'version: request.policyVersion',
  ),
  mutant(
    'R-086m',
    'components/audit/circumstance-facts.tsx',
    "const decidedBy = memberOf(event, 'onBehalfOf')",
    "const decidedBy = memberOf(event, '')",
  ),
  mutant(
    'R-086m',
    'lib/domain/exception-timeline.ts',
    "if (event === 'requested') return request.rationale;",
    '',
  ),
  mutant('R-086m', 'lib/domain/exception-timeline.ts', 'approverId === actor.id', "approverId === ''"),
  mutant(
    'R-086m',
    'components/exception-detail/settled-panel.tsx',
    'decided !== undefined && isCarriedOutLater(decided)',
    'decided !== undefined',
  ),
  mutant(
    'R-081l',
    'components/exception-detail/exposure-panel.tsx',
    'view.requestedReissue !== null;',
    'false;',
  ),
  mutant(
    'R-083a',
    'lib/domain/act-stage.ts',
    "'reissue.requested': 'REQUESTED',",
    "'reissue.requested': 'LEDGER',",
  ),
  mutant('R-083a', 'lib/domain/messages/ko/lookup.json', '"done": "외부에서 처리됨"', '"done": "완료"'),

  // What happened afterwards
  mutant(
    'R-088h',
    'lib/review/read-ledger-since.ts',
    "case when e.execution_id = $1::uuid then $3::timestamptz else '-infinity' end",
    '$3::timestamptz',
  ),
  mutant(
    'R-088h',
    'components/audit/ledger-since-facts.tsx',
    '{made.map((each) => (',
    '{made.slice(9).map((each) => (',
  ),

  // Found by what the list prints, and by each execution
  mutant(
    'R-088i',
    'lib/domain/audit-titles.ts',
    'LOCALES.some((locale) => holds(titleOf(event, locale)))',
    "holds(titleOf(event, 'en'))",
  ),
  mutant('R-088i', 'lib/review/audit-search.ts', 'events.length === 0 ? []', 'events.length !== 0 ? []'),
  mutant('R-088i', 'lib/review/audit-search.ts', 'actors.length === 0 ? []', 'actors.length !== 0 ? []'),
  mutant('R-088i', 'lib/review/audit-search.ts', 'inside.length === 0 ? []', 'inside.length !== 0 ? []'),
  mutant(
    'R-088i',
    'lib/review/audit-search.ts',
    'display_name ilike $1 and tenant_ids && $2::text[]',
    'display_name ilike $1 and $2::text[] is not null',
  ),
  mutant(
    'R-088j',
    'lib/review/about-executions.ts',
    'e.number = any(array(select n.number',
    'e.number = any(array(select -n.number',
  ),
  mutant(
    'R-088j',
    'lib/review/about-executions.ts',
    'where r.new_execution_id = any',
    'where r.execution_id = any',
  ),
  mutant(
    'R-088j',
    'prisma/migrations/20261204000610_events_of_new_keys/migration.sql',
    '(review.new_execution_of(body)) WHERE',
    '(number) WHERE',
  ),
  mutant('R-088k', 'lib/review/audit-filter.ts', " && !filter.events.includes('search.made')", ''),
  mutant('R-088k', 'lib/review/audit-filter.ts', "parts.push(`e.event <> 'search.made'`);", ''),
  mutant(
    'R-088k',
    'lib/review/count-hidden-searches.ts',
    'e.tenant_id is null and ${visibleWithoutTenant(ctx.actor, $)}',
    'true',
  ),
  mutant('R-088l', 'components/audit/audit-actor.tsx', 'return linked ? <ActsOf', 'return !linked ? <ActsOf'),
  mutant('R-088l', 'lib/domain/audit-words.ts', "filters: ['audit.filterName.*'],", ''),
  mutant('R-088m', 'lib/audit/signed-by.ts', 'number >= $1::bigint', 'number <= $1::bigint'),
  mutant('R-088m', 'components/audit/signed-by-text.tsx', 'checkpoint === null', 'checkpoint !== undefined'),
  mutant('R-088n', 'components/shell/scroll-page.tsx', 'data-frame ', ''),
];
