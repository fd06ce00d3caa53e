import type { Queryable } from '@/lib/db/pool';
import { BREAK_GLASS_AUTHORITY, type Actor } from '@/lib/domain/actor';
import type { BreakGlassUse, BreakGlassView } from '@/lib/domain/break-glass';
import type { ActorRef } from '@/lib/domain/person-ref';
import { hasAuthority } from '@/lib/domain/permissions';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { ReadContext } from '../read-context';

/** Open reviews that the desk lists at most. */
const MOST = 20;

const USES = `
  select u.request_id as "requestId", r.operation, t.display_name as "tenantName", u.reason,
    jsonb_build_object('kind', 'person', 'id', p.person_id, 'name', p.display_name) as "usedBy",
    ledger.instant(u.used_at) as "usedAt", ledger.instant(u.expires_at) as "expiresAt",
    case when u.reviewed_at is not null then jsonb_build_object('by', jsonb_build_object('kind', 'person', 'id', v.person_id, 'name', v.display_name),
      'at', ledger.instant(u.reviewed_at), 'finding', u.finding, 'rationale', u.review_rationale) end as review
  from review.break_glass_uses u join review.approval_requests r using (request_id)
  join review.tenants t on t.tenant_id = u.tenant_id join review.people p on p.person_id = u.used_by
  left join review.people v on v.person_id = u.reviewed_by`;

/** Emergency acts of the reader's tenants that nobody has reviewed, the oldest first. Index: break_glass_uses_open. */
export async function listOpenReviews(ctx: ReadContext): Promise<BreakGlassUse[]> {
  const { rows } = await ctx.db.query<BreakGlassUse & Record<string, unknown>>(
    `${USES} where u.reviewed_at is null and u.tenant_id = any($1::text[]) order by u.used_at limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows;
}

interface Standing {
  may: boolean;
  tookPart: boolean;
  urgent: boolean;
  unreviewed: boolean;
}

const STANDING = `
  select review.may_break_glass($2::uuid, r.request_id) as may, review.took_part($2::uuid, r.request_id) as "tookPart",
    x.severity <= 2 as urgent,
    exists (select from review.break_glass_uses u where u.used_by = $2::uuid and u.reviewed_at is null) as unreviewed
  from review.approval_requests r join review.exceptions x using (exception_id) where r.request_id = $1`;

/** How a request stands to it. Mirrors review.break_glass and review.review_break_glass, which judge again. */
export async function readBreakGlass(
  db: Queryable,
  actor: Actor,
  request: {
    requestId: string;
    state: string;
    kind: string;
    requestedBy: ActorRef;
    policy: { authority: string };
  },
): Promise<BreakGlassView> {
  const { rows: uses } = await db.query<BreakGlassUse & Record<string, unknown>>(
    `${USES} where u.request_id = $1`,
    [request.requestId],
  );
  const { rows } = await db.query<Standing & Record<string, unknown>>(STANDING, [
    request.requestId,
    actor.personId,
  ]);
  const [use = null] = uses;
  const [standing] = rows;
  if (standing === undefined) return { use, useRefusal: 'NOT_FOUND', reviewRefusal: 'NOT_FOUND' };
  return {
    use,
    useRefusal: refuseUse(actor, request, standing),
    reviewRefusal: refuseReview(actor, request, use, standing),
  };
}

function refuseUse(
  actor: Actor,
  { state, kind, policy }: { state: string; kind: string; policy: { authority: string } },
  standing: Standing,
): RefusalCode | null {
  if (!actor.roles.some((role) => role === 'OPERATOR' || role === 'APPROVER')) return 'ROLE_MISSING';
  if (!hasAuthority(actor, policy.authority)) return 'AUTHORITY_MISSING';
  if (!actor.authorities.includes(BREAK_GLASS_AUTHORITY)) return 'BREAK_GLASS_AUTHORITY_MISSING';
  if (!standing.may) return 'RIGHT_TOO_NEW';
  if (kind !== 'REISSUE') return 'DECISION_NOT_FOR_KIND';
  if (state !== 'PENDING') return 'REQUEST_ENDED';
  if (!standing.urgent) return 'NOT_AN_EMERGENCY';
  return standing.unreviewed ? 'BREAK_GLASS_UNREVIEWED' : null;
}

function refuseReview(
  actor: Actor,
  { requestedBy, policy }: { requestedBy: ActorRef; policy: { authority: string } },
  use: BreakGlassUse | null,
  { tookPart }: Standing,
): RefusalCode | null {
  if ([requestedBy.id, use?.usedBy.id].includes(actor.personId)) return 'SELF_APPROVAL';
  if (!actor.roles.includes('APPROVER')) return 'ROLE_MISSING';
  if (!hasAuthority(actor, policy.authority)) return 'AUTHORITY_MISSING';
  if (tookPart) return 'TOOK_PART';
  return use?.review === null ? null : 'REQUEST_ENDED';
}
