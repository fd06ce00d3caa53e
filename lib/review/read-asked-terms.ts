import 'server-only';
import type { ApprovalTerms } from '@/lib/domain/approval-policy';
import type { ReadContext } from './read-context';

/** What the approval policy asked for when a request was made; null for another tenant's request. */
export async function readAskedTerms(ctx: ReadContext, requestId: string): Promise<ApprovalTerms | null> {
  const { rows } = await ctx.db.query<{ terms: ApprovalTerms }>(
    `select review.terms_of(r) as terms from review.approval_requests r where r.request_id = $1::uuid and r.tenant_id = any($2::text[])`,
    [requestId, ctx.actor.tenantIds],
  );
  return rows[0]?.terms ?? null;
}
