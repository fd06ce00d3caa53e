import 'server-only';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { PolicyProposalView, PolicyRow } from '@/lib/domain/policy-row';
import {
  afterPosition,
  LARGEST_PAGE,
  orderBy,
  positionOf,
  readCursor,
  takePage,
  type Keyset,
  type Page,
} from '../keyset';
import type { ReadContext } from '../read-context';
import { SqlParameters } from '../sql-parameters';

const KEYSET: Keyset = {
  columns: [
    { expression: 'k.operation', type: 'text' },
    { expression: 'k.tenant_id', type: 'text' },
  ],
  descending: false,
};

export type ListPoliciesAnswer =
  ({ kind: 'page' } & Page<PolicyRow> & { mayChange: boolean }) | { kind: 'cursor-refused' };

interface Read extends Omit<PolicyRow, 'proposal'> {
  position: string[];
  proposal: Omit<PolicyProposalView, 'confirmRefusal'> | null;
}

/** Operations with a policy of either sort, or with a change that waits; of others the built-in default holds. */
const known = (tenants: string): string => `(
  select tenant_id, operation collate "default" as operation from ledger.operation_policies where tenant_id = any(${tenants}) and retired_at is null
  union select tenant_id, operation collate "default" from review.approval_policies where tenant_id = any(${tenants})
  union select tenant_id, operation collate "default" from review.policy_proposals where tenant_id = any(${tenants}) and state = 'PENDING') k`;

/** One page of the approval policies of the reader's tenants, by operation. Everybody reads them; administrators change them. */
export async function listPolicies(
  ctx: ReadContext,
  input: { cursor: string | null; size: number },
): Promise<ListPoliciesAnswer> {
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['policies', ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const own = $.add(tenants, 'text[]');
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, k.tenant_id as "tenantId", t.display_name as "tenantName", k.operation, f.version, f.content,
       case when p.proposal_id is not null then jsonb_build_object('proposalId', p.proposal_id,
         'content', p.content,
         'reason', p.reason, 'requestedBy', jsonb_build_object('personId', a.person_id, 'displayName', a.display_name),
         'requestedAt', ledger.instant(p.requested_at), 'expiresAt', ledger.instant(p.expires_at)) end as proposal
     from ${known(own)}
     join review.tenants t on t.tenant_id = k.tenant_id
     cross join lateral review.policy_in_force(k.tenant_id, k.operation) f
     left join review.policy_proposals p on p.tenant_id = k.tenant_id and p.operation = k.operation and p.kind = 'APPROVAL' and p.state = 'PENDING'
       and p.expires_at > ledger.clock()
     left join review.people a on a.person_id = p.requested_by
     where ${afterPosition(KEYSET, position, $)}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  const mayChange = hasRoleFor(ctx.actor, 'policy.manage');
  return {
    kind: 'page',
    ...page,
    mayChange,
    rows: page.rows.map(({ position: _position, proposal, ...row }) => ({
      ...row,
      proposal: proposal && {
        ...proposal,
        confirmRefusal: refuseConfirming(proposal, mayChange, ctx.actor.personId),
      },
    })),
  };
}

/** Mirrors review.decide_policy, which judges again. */
function refuseConfirming(
  proposal: Omit<PolicyProposalView, 'confirmRefusal'>,
  mayChange: boolean,
  me: string,
): PolicyProposalView['confirmRefusal'] {
  if (!mayChange) return 'ROLE_MISSING';
  return proposal.requestedBy.personId === me ? 'SELF_APPROVAL' : null;
}
