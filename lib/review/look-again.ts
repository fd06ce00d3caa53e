import 'server-only';
import type { AuditEventName } from '@/lib/domain/audit-events';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { ExternalStatus, LookupOutcome, Verdict } from '@/lib/domain/lookup-verdict';
import { lookUpAgain } from '@/lib/lookup/look-up-again';
import { auditRefusal } from './audit-refusal';
import type { LookingContext } from './desk-context';
import { answering } from './run-command';
import { settleOperation } from './settle-operation';

interface StandsOnEvidence {
  operationId: string;
  exceptionId: string;
  evidenceId: string;
  shownEvidenceId: string | null;
  lookAgain: boolean;
}

interface Finding {
  lookup_id: string;
  outcome: LookupOutcome;
  verdict: Verdict;
  result_id: string | null;
  external_status: ExternalStatus | null;
  account_match: boolean | null;
  content_match: boolean | null;
}

// The tenant list keeps foreign evidence out of the comparison.
const PAIR = `
  select lookup_id, outcome, verdict, result_id, external_status, account_match, content_match from review.lookups
  where lookup_id = any($1::uuid[]) and tenant_id = any($2::text[])`;

/** The look that carries the decision, and the one that the person had before them. */
interface Carried {
  evidenceId: string;
  shownEvidenceId: string;
}

export type FreshEvidence = { ok: true; carried: Carried } | { ok: false; answer: CommandAnswer };

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
  const shownEvidenceId = input.shownEvidenceId ?? evidenceId;
  if (!input.lookAgain) return { ok: true, carried: { evidenceId, shownEvidenceId } };
  let lookupId: string | undefined;
  const looked = await answering(ctx, event, { exceptionId }, async () => {
    const answer = await lookUpAgain(ctx.pool, ctx.context, ctx.asking, exceptionId);
    if (answer.outcome === 'refused') return answer;
    lookupId = answer.lookupId;
    return { outcome: 'done', repeated: false };
  });
  if (lookupId === undefined) {
    // The first of two equal submits may have closed the exception before the second could look.
    const earlier = await settleOperation(ctx, input.operationId);
    const cameAbout = earlier.outcome === 'done' || earlier.outcome === 'requested';
    return { ok: false, answer: cameAbout ? earlier : looked };
  }
  const { rows } = await ctx.pool.query<Finding & Record<string, unknown>>(PAIR, [
    [evidenceId, lookupId],
    ctx.actor.tenantIds,
  ]);
  const seen = rows.find((row) => row.lookup_id === evidenceId);
  const present = rows.find((row) => row.lookup_id === lookupId);
  if (seen !== undefined && present !== undefined && isSame(seen, present))
    return { ok: true, carried: { evidenceId: lookupId, shownEvidenceId } };
  await auditRefusal(ctx, event, 'EVIDENCE_CHANGED', input, { evidenceId, newEvidenceId: lookupId });
  const shows = present && { outcome: present.outcome, externalStatus: present.external_status };
  const answer = { outcome: 'refused', code: 'EVIDENCE_CHANGED', ...(shows && { shows }) } as const;
  return { ok: false, answer };
}

/** What a person did not compare, or a connector could not, is no difference to what the other compared. */
function isSame(seen: Finding, present: Finding): boolean {
  const members = ['verdict', 'result_id', 'external_status'] as const;
  const compared = ['account_match', 'content_match'] as const;
  return (
    members.every((member) => seen[member] === present[member]) &&
    compared.every(
      (member) => seen[member] === null || present[member] === null || seen[member] === present[member],
    )
  );
}
