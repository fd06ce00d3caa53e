// Ways of breaking what an operation id stands for: one act of one person on one subject.
import type { Mutant } from './mutant';

const IDS = 'prisma/migrations/20261204000100_operation_ids/migration.sql';

const mutant = (rule: string, find: string, replace: string, file = IDS): Mutant => ({
  rule,
  file,
  find,
  replace,
});

export const MUTANTS_OF_OPERATION_IDS: readonly Mutant[] = [
  // What has to agree
  mutant('R-085d', 'WHERE i = o)', 'WHERE i.operation_id = o.operation_id)'),
  mutant(
    'R-085d',
    'WHERE i = o)',
    'WHERE (i.operation_id, i.subject, i.actor_id) = (o.operation_id, o.subject, o.actor_id))',
  ),
  mutant(
    'R-085d',
    'WHERE i = o)',
    'WHERE (i.operation_id, i.act, i.actor_id) = (o.operation_id, o.act, o.actor_id))',
  ),
  mutant(
    'R-085d',
    'WHERE i = o)',
    'WHERE (i.operation_id, i.act, i.subject) = (o.operation_id, o.act, o.subject))',
  ),
  mutant('R-085d', "'grantId', 'sessionId', ", "'grantId', "),
  // When it counts
  mutant(
    'R-085d',
    "PERFORM pg_advisory_xact_lock(hashtextextended('onceover operation id ' || o.operation_id, 0));",
    '',
  ),
  mutant(
    'R-085d',
    'DO UPDATE SET act = excluded.act, subject = excluded.subject, actor_id = excluded.actor_id;',
    'DO NOTHING;',
  ),
  // Who hears of it
  mutant('R-085d', 'IF v_rights IS NULL THEN', 'IF true THEN'),
  mutant(
    'R-085d',
    'IF f.refusal IS NOT NULL THEN RETURN f; END IF;\n  -- Asked under the lock',
    '-- Asked under the lock',
  ),
  mutant(
    'R-085d',
    '  IF f.refusal IS NULL THEN\n    f.refusal := review.judge',
    '  IF true THEN\n    f.refusal := review.judge',
  ),
  mutant(
    'R-085d',
    "WHEN p_event = 'session.ended' AND (f.person).person_id = f.actor_id THEN NULL",
    "WHEN p_event = 'session.ended' THEN NULL",
  ),
  // Each command that asks
  mutant('R-085d', "      review.judge_operation_id('input.opened', p_input),\n", ''),
  mutant('R-085d', "coalesce(review.judge_operation_id('evidence.recorded', p_evidence), v_code)", 'v_code'),
  mutant('R-085d', "v_code := review.judge_operation_id('request ' || v_step, p_input);", 'v_code := NULL;'),
  mutant('R-085d', "ELSE review.judge_operation_id('request WITHDRAWN', p_input) END;", 'ELSE NULL END;'),
  mutant('R-085d', "ELSE review.judge_operation_id('break_glass.used', p_input) END;", 'ELSE NULL END;'),
  mutant('R-085d', "review.judge_operation_id('break_glass.reviewed', p_input));", 'NULL);'),
  mutant(
    'R-085d',
    'IF f.refusal IS NOT NULL THEN RETURN review.refuse_people(f, f.refusal); END IF;\n  v_ended',
    'IF f.refusal IS NOT NULL AND (f.person).person_id IS DISTINCT FROM f.actor_id THEN RETURN review.refuse_people(f, f.refusal); END IF;\n  v_ended',
  ),
  // A lost answer
  mutant(
    'R-085d',
    "coalesce(e.refusal_code, '') = 'OPERATION_ID_USED' desc, ",
    '',
    'lib/review/settle-operation.ts',
  ),
];
