// Ways of breaking what the audit keeps of itself: checkpoints that are asked for, erased texts, sealed ranges.
import type { Mutant } from './mutant';

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
];
