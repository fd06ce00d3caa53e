import 'server-only';
import { OutcomeUnknownError } from '@/lib/db/transaction';
import type { AuditEventName } from '@/lib/domain/audit-events';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { lookUpAgain } from '@/lib/lookup/look-up-again';
import { auditRefusal } from './audit-refusal';
import type { LookingContext } from './desk-context';

interface StandsOnEvidence {
  operationId: string;
  exceptionId: string;
  evidenceId: string;
  lookAgain: boolean;
}

interface Finding {
  lookup_id: string;
  verdict: string;
  result_id: string | null;
  external_status: string | null;
  account_match: boolean | null;
  content_match: boolean | null;
}

// The tenant list keeps foreign evidence out of the comparison.
const PAIR = `
  select lookup_id, verdict, result_id, external_status, account_match, content_match from review.lookups
  where lookup_id = any($1::uuid[]) and tenant_id = any($2::text[])`;

export type FreshEvidence = { ok: true; evidenceId: string } | { ok: false; answer: CommandAnswer };

/**
 * Evidence that the person saw and that is too old to decide on: looks once more, outside any transaction, and hands the
 * new look on only if it shows the same. Changed evidence forces a new decision (LC-07).
 */
export async function withFreshEvidence(
  ctx: LookingContext,
  event: AuditEventName,
  input: StandsOnEvidence,
): Promise<FreshEvidence> {
  const { evidenceId, exceptionId } = input;
  if (!input.lookAgain) return { ok: true, evidenceId };
  const looked = await look(ctx, exceptionId);
  if (looked.outcome !== 'done') return { ok: false, answer: looked };
  const { rows } = await ctx.pool.query<Finding & Record<string, unknown>>(PAIR, [
    [evidenceId, looked.lookupId],
    ctx.actor.tenantIds,
  ]);
  const seen = rows.find((row) => row.lookup_id === evidenceId);
  const present = rows.find((row) => row.lookup_id === looked.lookupId);
  if (seen !== undefined && present !== undefined && isSame(seen, present))
    return { ok: true, evidenceId: looked.lookupId };
  await auditRefusal(ctx, event, 'EVIDENCE_CHANGED', input, { evidenceId, newEvidenceId: looked.lookupId });
  return { ok: false, answer: { outcome: 'refused', code: 'EVIDENCE_CHANGED' } };
}

async function look(ctx: LookingContext, exceptionId: string) {
  try {
    return await lookUpAgain(ctx.pool, ctx.context, ctx.asking, exceptionId);
  } catch (error) {
    // Nothing was decided: only whether the look was kept is unknown, and the page will show that.
    if (error instanceof OutcomeUnknownError) return { outcome: 'unknown' } as const;
    throw error;
  }
}

function isSame(seen: Finding, present: Finding): boolean {
  const members = ['verdict', 'result_id', 'external_status', 'account_match', 'content_match'] as const;
  return members.every((member) => seen[member] === present[member]);
}
