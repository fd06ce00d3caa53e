// Ways of hiding what a new key leaves standing, and on what a person decided.
import type { Mutant } from './mutant';

const EXPOSURE = 'prisma/migrations/20261203000500_exposure_of_a_new_key/migration.sql';
const WORTH = 'prisma/migrations/20261206000220_worth_of_an_orphan/migration.sql';
const SHOWN = 'prisma/migrations/20261203000510_what_was_shown/migration.sql';
const TOGETHER = 'lib/domain/reissue-exposure.ts';
const THEN = 'lib/domain/exposure-then.ts';
const TOLD = 'lib/domain/audit-told.ts';

const mutant = (rule: string, file: string, find: string, replace: string): Mutant => ({
  ...{ rule, file, find, replace },
});

export const MUTANTS_OF_EXPOSURE: readonly Mutant[] = [
  // What stands
  mutant('R-081i', EXPOSURE, '(v_original * v_effects + v_new)::text', '(v_new - v_original)::text'),
  mutant('R-081i', EXPOSURE, '(v_original * v_effects + v_new)::text', '(v_original + v_new)::text'),
  mutant('R-081i', EXPOSURE, ' AND v_original_currency IS NOT DISTINCT FROM v_new_currency', ''),
  mutant(
    'R-081i',
    EXPOSURE,
    "WHEN v_ended = 'SUCCEEDED' THEN 'EXISTS'",
    "WHEN v_ended = 'SUCCEEDED' THEN 'NONE_KNOWN'",
  ),
  mutant('R-081i', EXPOSURE, "'bothEffects', v_effects + 1)", "'bothEffects', v_effects)"),
  mutant(
    'R-081i',
    EXPOSURE,
    '(p_policy.tenant_id, p_policy.operation, p_version)), p_policy.value_currency)',
    '(p_policy.tenant_id, p_policy.operation, -1)), p_policy.value_currency)',
  ),
  mutant(
    'R-081i',
    TOGETHER,
    "relation !== 'RETRY_AS_NEW' && effect === 'EXISTS'",
    "relation === 'CORRECTION' && effect === 'EXISTS'",
  ),
  mutant('R-081i', TOGETHER, "effect === 'NONE_KNOWN' || relation", 'relation'),
  mutant('R-081i', TOGETHER, 'if (original !== null && added !== null) return', 'if (false) return'),
  mutant('R-081i', TOGETHER, ' && each.intakeId === intakeId', ''),
  // What counts for the thresholds
  mutant(
    'R-081j',
    EXPOSURE,
    "WHEN p_relation IN ('CORRECTION', 'NEW_WORK') THEN 'bothAmount'",
    "WHEN p_relation IN ('CORRECTION', 'NEW_WORK') THEN 'originalAmount'",
  ),
  mutant(
    'R-081j',
    EXPOSURE,
    "WHEN p_relation IN ('CORRECTION', 'NEW_WORK') THEN 'bothAmount'",
    "WHEN p_relation IN ('CORRECTION', 'NEW_WORK') THEN 'newAmount'",
  ),
  mutant(
    'R-081j',
    EXPOSURE,
    "p_relation IN ('CORRECTION', 'NEW_WORK') THEN",
    "p_relation IN ('CORRECTION') THEN",
  ),
  mutant(
    'R-081j',
    EXPOSURE,
    "IN ('CORRECTION', 'NEW_WORK') THEN 'bothAmount' ELSE 'newAmount' END",
    "IN ('CORRECTION', 'NEW_WORK') THEN 'bothAmount' ELSE 'bothAmount' END",
  ),
  mutant('R-081j', WORTH, 'r.exception_id), r.intake_id, r.relation)', 'r.exception_id), r.intake_id)'),
  mutant(
    'R-081j',
    WORTH,
    'review.approval_terms(p_kind, v_subject, p_intake_id, p_relation)',
    'review.approval_terms(p_kind, v_subject, p_intake_id)',
  ),
  // Where it is told
  mutant(
    'R-080c',
    'lib/review/get-request.ts',
    'exposure: figures && readExposure(figures)',
    'exposure: null',
  ),
  mutant('R-080c', 'lib/review/list-requests.ts', 'amount: both ?? amountOf', 'amount: amountOf'),
  mutant(
    'R-080c',
    'lib/review/read-reissues.ts',
    "review.approval_terms('REISSUE', e, c.intake_id, c.relation)",
    "review.approval_terms('REISSUE', e, c.intake_id)",
  ),
  mutant(
    'R-080c',
    'lib/review/read-reissues.ts',
    "r.state in ('PENDING', 'APPROVED', 'EXECUTED')",
    "r.state in ('PENDING', 'APPROVED')",
  ),
  // What was at stake when it was settled
  mutant('R-081k', THEN, 'startedAt <= instant', 'startedAt !== instant'),
  mutant(
    'R-081k',
    THEN,
    'triedSince ? { ...execution, resultId: null, reportedResultId: null } : execution',
    'execution',
  ),
  mutant('R-081k', THEN, 'receivedAt <= instant', 'receivedAt !== instant'),
  mutant('R-081k', THEN, 'Date.parse(checkedAt) <= Date.parse(instant)', 'checkedAt !== instant'),
  mutant(
    'R-081k',
    THEN,
    'startedEffects(known.attempts) - startedEffects(then.attempts)',
    'startedEffects(known.attempts)',
  ),
  // A look, as it was judged
  mutant('R-086f', SHOWN, " AND NOT (p.verdict = 'NOT_APPLIED' AND p.checked_at < v_proves_from)", ''),
  mutant('R-086f', SHOWN, "'conclusive', p.verdict IN ('APPLIED', 'NOT_APPLIED') AND", "'conclusive',"),
  mutant('R-086f', TOLD, 'if (conclusive === null) return', 'if (false) return'),
  mutant('R-086f', TOLD, "|| conclusive === 'true')", "|| conclusive !== 'false')"),
  mutant('R-086f', TOLD, 'return checked < from', 'return from < checked'),
  mutant(
    'R-086f',
    TOLD,
    "valueOf(details, 'outcome') === 'NOT_FOUND'",
    "valueOf(details, 'outcome') !== 'NONE'",
  ),
  // What the person had before them
  mutant('R-086g', SHOWN, ' AND execution_id = p_execution_id $$;', ' $$;'),
  mutant(
    'R-086g',
    SHOWN,
    "'shownEvidenceId', v_shown, 'authorityNeeded'",
    "'shownEvidenceId', (f).input->>'evidenceId', 'authorityNeeded'",
  ),
  mutant('R-086g', SHOWN, "'shownEvidenceId', v_approval.shown_evidence_id);", "'shownEvidenceId', NULL);"),
  mutant('R-086g', SHOWN, "'shownEvidenceId', p_input->>'shownEvidenceId');", "'shownEvidenceId', NULL);"),
  mutant(
    'R-086g',
    'lib/review/look-again.ts',
    'input.shownEvidenceId ?? evidenceId',
    'input.shownEvidenceId',
  ),
  mutant(
    'R-086g',
    'lib/review/look-again.ts',
    'carried: { evidenceId: lookupId, shownEvidenceId }',
    'carried: { evidenceId: lookupId, shownEvidenceId: lookupId }',
  ),
  mutant('R-086g', 'lib/domain/settled-look.ts', "decision === 'REISSUE' || decision", 'decision'),
  mutant(
    'R-086g',
    'lib/domain/settled-look.ts',
    'shownEvidenceId === evidenceId ? null : shownEvidenceId',
    'null',
  ),
  mutant(
    'R-086g',
    'lib/domain/audit-story.ts',
    "if (event.event === 'reissue.executed') return 'AFTER_APPROVAL';",
    '',
  ),
  mutant(
    'R-086g',
    'lib/domain/audit-story.ts',
    'shown: shownId === evidenceId ? null : lookOf(shownId)',
    'shown: null',
  ),
  mutant('R-086g', TOLD, "if (event === 'reissue.executed')", 'if (false)'),
  // What approvals were judged by
  mutant(
    'R-086h',
    SHOWN,
    'WHERE p_person_id IS NULL OR review.fits_step(p_person_id, r, step)',
    'WHERE true',
  ),
  mutant(
    'R-086h',
    SHOWN,
    "CASE WHEN r.kind = 'REISSUE' THEN\n      (SELECT",
    "CASE WHEN r.kind = 'NONE' THEN\n      (SELECT",
  ),
  mutant(
    'R-086h',
    SHOWN,
    'review.shown_look(p_input, r.execution_id)) || review.approval_basis(r, v_actor.person_id));',
    'review.shown_look(p_input, r.execution_id)));',
  ),
  mutant('R-086h', TOLD, '{ ...detail, currency: valueOf(details, `${side}Currency`) }', 'detail'),
];
