// Ways of breaking what the audit keeps of itself: checkpoints that are asked for, erased texts, sealed ranges.
import type { Mutant } from './mutant';

const EVERYWHERE = 'prisma/migrations/20261203000700_erasable_everywhere/migration.sql';
const TEXTS = 'prisma/migrations/20261202000520_erasable_texts/migration.sql';
const DEFERRALS = 'prisma/migrations/20261203000400_deferrals_end/migration.sql';
const LEDGER = 'lib/audit/verifier/texts.mjs';

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

  // The event and the act
  mutant(
    'AU-02',
    'lib/access/sign-out.ts',
    'await revokeSession(tx, secret)',
    'await revokeSession(pool, secret)',
  ),
  mutant(
    'AU-02',
    'prisma/migrations/20261201000330_producer_tokens/migration.sql',
    `  PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, p_tenant_id, NULL, NULL, NULL, NULL,
    ((f).input->>'operationId')::uuid, jsonb_strip_nulls(p_body));`,
    `  BEGIN PERFORM review.append_audit(p_event, CASE WHEN p_refusal IS NULL THEN 'done' ELSE 'refused' END, p_refusal, p_tenant_id, NULL, NULL, NULL, NULL,
    ((f).input->>'operationId')::uuid, jsonb_strip_nulls(p_body)); EXCEPTION WHEN OTHERS THEN NULL; END;`,
  ),

  mutant(
    'R-086e',
    DEFERRALS,
    `'done', NULL, x.tenant_id, x.exception_id, x.execution_id`,
    `'done', NULL, x.tenant_id, NULL, NULL`,
  ),
  mutant('R-086e', DEFERRALS, 'SET deferred_until = NULL', 'SET deferred_until = deferred_until'),

  // What is shown and logged of others' texts
  mutant('R-009h', 'lib/domain/look-alikes.ts', '> 1;', '> 9;'),
  mutant('R-009h', 'lib/domain/look-alikes.ts', ' || isForeignLatin(word)', ''),
  mutant('R-009h', 'lib/domain/look-alikes.ts', ' || isStyled(word)', ''),
  mutant('AU-14', 'lib/domain/misleading-text.ts', '      yield name;\n', ''),
  mutant(
    'AU-14',
    'components/text/visible-text.tsx',
    'visibleRuns(text, { keepLineBreaks: paragraphs }).map(',
    '[{ text, escapeOf: null }].map(',
  ),
  mutant('AU-13', 'components/text/key-text.tsx', 'title={visibleText(value)}', 'title={value}'),
  mutant('AU-13', 'lib/ledger/http/arrivals.ts', "if (isOperation(value['operation'])) c.var", 'c.var'),

  // Who, for whom, and what was read
  mutant(
    'AU-15',
    'prisma/migrations/20261202000510_recorded_reads/migration.sql',
    `WHEN current_setting('onceover.actor_kind', true) = 'person' THEN`,
    'WHEN true THEN',
  ),
  mutant('AU-17', 'lib/review/record-search.ts', 'body: { list }', 'body: { list, text }'),
  mutant('AU-17', 'lib/review/record-search.ts', '-Infinity) < ONE_SEARCH_MS', '0) < ONE_SEARCH_MS'),

  // Size
  mutant('R-087p', 'lib/audit/verify-chain.ts', 'const BATCH = 1_000;', 'const BATCH = 100_000;'),

  // What people wrote
  mutant('R-087q', LEDGER, 'kept.value) !== commitment', "kept.value) === ''"),
  mutant('R-087q', LEDGER, 'first === undefined', 'first !== ""'),
  mutant('R-087q', LEDGER, 'if (Object.keys(texts).some(', 'if ([].some('),
  mutant(
    'R-087q',
    'lib/audit/verifier/export-reading.mjs',
    'return complete ? this.texts.end() : null;',
    'return null;',
  ),
  mutant('R-089a', LEDGER, 'for (const each of erased) this.missing.delete(each);', ''),
  mutant('R-089a', TEXTS, "v_body := v_body #- string_to_array(v_text.path, '.');", ''),
  mutant(
    'R-089a',
    EVERYWHERE,
    "WHERE exception_id = ANY (p_exceptions) AND event IN ('commented', 'deferred');",
    'WHERE false;',
  ),
  mutant('R-089a', 'lib/domain/audit-body.ts', ': { ...body, erased };', ': body;'),
  mutant('R-089b', EVERYWHERE, "(x.state = 'OPEN')", "(x.state = '')"),
  mutant(
    'R-089c',
    EVERYWHERE,
    'ALTER TABLE review.lookups ENABLE ALWAYS TRIGGER lookups_are_only_added;',
    '',
  ),
  mutant(
    'R-089c',
    EVERYWHERE,
    'REVOKE EXECUTE ON FUNCTION review.erase_texts(jsonb, text) FROM PUBLIC;',
    'GRANT EXECUTE ON FUNCTION review.erase_texts(jsonb, text) TO onceover_app;',
  ),

  // The story's people
  mutant(
    'R-088b',
    'lib/review/get-audit-event.ts',
    ' and tenant_ids && $2::text[]',
    " and $2::text[] <> '{}'",
  ),
  mutant(
    'R-088b',
    'lib/review/get-audit-event.ts',
    '...rows.map(({ id, name }) => [id, name] as const),',
    '',
  ),
  mutant('R-088a', 'lib/review/audit-search.ts', 'executionIds.length > 0', 'false'),
  mutant('R-088a', 'lib/review/audit-search.ts', 'JSON.stringify(text).slice(1, -1)', 'text'),
  mutant('R-088g', 'lib/review/audit-words-walk.ts', 'position !== null ? begin : null', 'null'),
  mutant('R-088g', 'lib/review/audit-words-walk.ts', 'down ? at - stretch + 1n', 'down ? at - stretch'),
  mutant('R-088g', 'lib/review/list-audit-events.ts', 'if (stretch !== null)', 'if (false)'),
  mutant('R-088a', 'lib/review/search-scope.ts', 'e.business_ref like $1', 'e.business_ref = $1'),
  mutant('R-088f', 'lib/review/read-ledger-since.ts', 'i.received_at > w.since', 'true'),
  mutant(
    'R-088f',
    'lib/review/read-ledger-since.ts',
    'or e.reissue_of = $1::uuid) and e.tenant_id = any($2::text[])',
    'or e.reissue_of = $1::uuid)',
  ),
  mutant(
    'R-098c',
    'prisma/migrations/20261204000830_whom_an_event_concerned/migration.sql',
    "coalesce(b->>'personId', ",
    'coalesce(',
  ),
  mutant('R-088c', 'lib/audit/verifier/report.mjs', '(isSigned && keys !== undefined)', 'isSigned'),
  mutant(
    'R-088c',
    'lib/audit/verifier/main.mjs',
    'return withKeys(withTrail(report, trail, last), { keys, isSigned });',
    'return withTrail(report, trail, last);',
  ),
  mutant(
    'R-088c',
    'lib/audit/verifier/main.mjs',
    '{ keys, isSigned: found.proof.signed > 0 }',
    '{ keys, isSigned: true }',
  ),
  mutant(
    'R-088c',
    'lib/audit/verifier/export-reading.mjs',
    'missing: upTo - after - BigInt(events)',
    'missing: 0n',
  ),
  mutant('R-088c', 'lib/audit/verifier/report.mjs', 'checkpointAt === 0n || checkpointAt >= upTo', 'true'),
];
