// Ways of breaking what evidence carries, and the step that leads on.
import type { Mutant } from './mutant';

const SOURCES = 'prisma/migrations/20261130000310_two_sources/migration.sql';
const CONTRARY = 'prisma/migrations/20261130000600_contrary_looks/migration.sql';
const HEARD = 'prisma/migrations/20261130000500_heard_late/migration.sql';
const EVIDENCE = 'lib/domain/decision-evidence.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_EVIDENCE: readonly Mutant[] = [
  // A person's look and the outside system's
  mutant('R-060h', CONTRARY, "WHEN review.looks_contradict(p_row) THEN 'EVIDENCE_CONTRADICTED'", ''),
  mutant(
    'R-060h',
    CONTRARY,
    "AND NOT (c.verdict = 'NOT_APPLIED' AND c.checked_at < review.usable_from(c.execution_id, c.checked_at, c.usable_from))",
    '',
  ),
  mutant('R-060h', CONTRARY, 'AND NOT (newer.connector_id IS NULL AND newer.result_id IS NULL)', ''),
  mutant('R-060h', EVIDENCE, 'decisive: connector, contradict: true', 'contradict: false'),
  mutant('R-060h', EVIDENCE, 'if (isTooEarly(connector)) return sources;', ''),
  mutant(
    'R-060h',
    'lib/review/read-activity.ts',
    'lookup.connectorId === null ? null : lookup.externalStatus',
    'lookup.externalStatus',
  ),
  mutant('R-060b', 'lib/review/look-again.ts', '...(shows && { shows })', ''),

  // What a person saw against "not there"
  mutant('R-060i', CONTRARY, ' OR (review.contrary_look(f.execution)).lookup_id IS NOT NULL THEN', ' THEN'),
  mutant(
    'R-060i',
    CONTRARY,
    "WHEN (review.contrary_look(f.execution)).lookup_id IS NOT NULL THEN 'EVIDENCE_CONTRADICTED'",
    '',
  ),
  mutant('R-060i', CONTRARY, "IF m.verdict = 'APPLIED' THEN RETURN m; END IF;", 'RETURN m;'),
  mutant('R-060i', 'lib/domain/next-step.ts', "return 'ASK_A_COLLEAGUE';", "return 'CONFIRM_NOT_APPLIED';"),
  mutant('R-060i', 'lib/domain/evidence-standing.ts', "return 'SEEN_OTHERWISE';", 'return ofLookup(lookup);'),
  mutant('R-060j', CONTRARY, 'v_contrary := review.contrary_look((f).execution);', 'NULL;'),
  mutant(
    'R-060j',
    CONTRARY,
    "<> coalesce(r.params->>'contraryLookId', '') THEN 'CONTRARY_LOOK'",
    "<> coalesce(r.params->>'contraryLookId', '') THEN NULL",
  ),
  mutant(
    'R-060j',
    'lib/review/get-request.ts',
    "return person?.verdict === 'APPLIED' ? person : null;",
    'return named;',
  ),
  mutant('R-060j', 'lib/review/get-request.ts', "if (row.state !== 'PENDING') return named;", ''),
  mutant('R-060k', CONTRARY, 'AND w.checked_by <> m.checked_by', ''),
  mutant('R-060k', CONTRARY, 'AND w.result_id = m.result_id', ''),
  mutant('R-060k', CONTRARY, "AND (o.verdict <> 'APPLIED' OR o.result_id <> m.result_id)", 'AND false'),
  mutant('R-060k', CONTRARY, "IF c.outcome = 'NOT_FOUND' AND c.verdict = 'NOT_APPLIED' AND", 'IF'),
  mutant('R-060k', CONTRARY, "OR (v_witnessed AND p_verdict = 'NOT_APPLIED') THEN", 'THEN'),
  mutant('R-060k', CONTRARY, 'AND NOT (v_witnessed AND newer.connector_id IS NOT NULL)', ''),
  mutant('R-060k', 'lib/domain/offer-standing.ts', '&& witness === null;', ';'),
  mutant('R-060k', EVIDENCE, 'each.lookedBy !== newest.lookedBy && ', ''),

  mutant('R-060h', 'lib/domain/evidence-standing.ts', "if (lookup.byPerson) return 'SEEN_BY_ONE';", ''),

  // A deletion, and what was undone
  mutant('R-058l', EVIDENCE, "if (lookup.outcome === 'NOT_FOUND' && !lookup.byPerson)", 'if (false)'),
  mutant(
    'R-058l',
    SOURCES,
    "WHEN (v_lookup.outcome = 'FOUND' OR v_lookup.connector_id IS NULL)",
    'WHEN true',
  ),
  mutant(
    'R-058l',
    SOURCES,
    'WHEN v_lookup.account_match IS FALSE OR v_lookup.content_match IS FALSE',
    'WHEN false',
  ),
  mutant('R-068', CONTRARY, 'coalesce(v_undone.lookup_id, review', 'coalesce(NULL, review'),
  mutant('R-068', SOURCES, "< p_now THEN 'EVIDENCE_STALE' END $$;", '< p_now THEN NULL END $$;'),

  // What a person saw, and when
  mutant('R-062a', 'lib/lookup/manual-evidence.ts', 'filedEarlier: newer.length > 0', 'filedEarlier: false'),
  mutant(
    'R-062a',
    'lib/lookup/manual-evidence.ts',
    'input.checkedAt ?? subject?.askedAtText',
    'input.checkedAt',
  ),

  mutant(
    'R-062o',
    'lib/domain/evidence-form.ts',
    'if (found && !fields.contentAgrees)',
    'if (!fields.contentAgrees)',
  ),
  mutant('R-062o', 'lib/domain/evidence-form.ts', 'if (found && about.account !== null &&', 'if (found &&'),
  mutant(
    'R-062o',
    'lib/domain/evidence-form.ts',
    'if (findSecrets(fields[name]).length > 0) faults[name]',
    'if (false) faults[name]',
  ),
  mutant(
    'R-062o',
    'lib/domain/evidence-form.ts',
    "if (answer.code === 'ACCOUNT_DIFFERS') return { account: 'ACCOUNT_DIFFERS' };",
    '',
  ),

  // Effects that may exist
  mutant('R-081a', 'lib/domain/named-results.ts', '...lateReports.map((each) => each.resultId),', ''),
  mutant('R-081a', 'lib/domain/named-results.ts', "({ outcome }) => outcome === 'FOUND'", '() => true'),

  // One step for the queue and the pages
  mutant(
    'R-047',
    'lib/domain/next-step.ts',
    "? 'FIND_EXECUTOR' : 'ALLOW_OR_END'",
    "? 'ALLOW_OR_END' : 'ALLOW_OR_END'",
  ),
  mutant('R-051', 'lib/domain/decision-offers.ts', '&& (barred !== null || standing.refusal === null)', ''),
  mutant('R-041', 'lib/domain/next-step.ts', "return 'CONFIRM_KNOWN_RESULT';", "return 'LINK_RESULT';"),
  mutant('R-047', 'lib/domain/next-step.ts', "return 'WAIT_FOR_HORIZON';", "return 'CONFIRM_NOT_APPLIED';"),
  mutant('R-047', 'lib/domain/plain-words.ts', "next: 'AT_THE_DESK'", 'next: view'),
  mutant(
    'R-047',
    'prisma/migrations/20261130000320_own_endings/migration.sql',
    "AND NEW.state = 'SUCCEEDED' AND NEW.moved_by = 'executor'",
    "AND NEW.state = 'SUCCEEDED'",
  ),
  mutant('R-083', 'lib/domain/exception-timeline.ts', '&& !isPassedThrough(activity, view.requests)', ''),
  {
    rule: 'R-064l',
    file: HEARD,
    find: "PERFORM ledger.keep_late_report(v_row, 'report_unknown', p_report);\n    END IF;",
    replace: 'END IF;',
  },
  {
    rule: 'R-064l',
    file: HEARD,
    find: 'AND l.received_at >= p_checked_at',
    replace: 'AND false',
  },
  {
    rule: 'R-064l',
    file: HEARD,
    find: "AND fencing_token = v_row.fencing_token AND verb = 'report_unknown'",
    replace: 'AND false',
  },
  {
    rule: 'R-064l',
    file: 'lib/lookup/lookup-subject.ts',
    find: `(SELECT max(l.received_at) FROM ledger.late_reports l WHERE l.execution_id = e.execution_id)`,
    replace: 'NULL',
  },
  {
    rule: 'R-064l',
    file: 'lib/lookup/lookup-subject.ts',
    find: `CASE WHEN e.state = 'UNKNOWN' AND e.unknown_reason NOT IN ('LEASE_OVER', 'DECLARED') THEN e.state_since END`,
    replace: 'NULL',
  },
  {
    rule: 'R-064l',
    file: 'lib/lookup/list-lookups.ts',
    find: 'review.usable_from(l.execution_id, l.checked_at, l.usable_from) AS',
    replace: 'l.usable_from AS',
  },
];
