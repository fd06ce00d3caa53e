import 'server-only';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { OperationPolicyContent } from '@/lib/domain/operation-policy';
import type { OperationPolicyView, PolicyHistoryEntry, PolicyRow } from '@/lib/domain/policy-row';
import type { ReadContext } from '../read-context';
import {
  POLICY_COLUMNS,
  waitingProposal,
  withRefusal,
  type ReadPolicy,
  type ReadProposal,
} from './policy-rows';

export interface PoliciesOfOperation {
  readonly approval: PolicyRow;
  readonly operation: OperationPolicyView;
  readonly mayChange: boolean;
}

interface Place {
  readonly tenantId: string;
  readonly operation: string;
}

interface Read extends ReadPolicy {
  own: Omit<OperationPolicyView, 'proposal' | 'history'> & {
    proposal: ReadProposal<OperationPolicyContent> | null;
  };
}

// By primary keys and the index of waiting proposals.
const POLICIES = `
  select ${POLICY_COLUMNS}, jsonb_build_object('version', case when o.tenant_id = '*' then 0 else o.version end,
    'since', case when o.tenant_id <> '*' then ledger.instant(o.created_at) end, 'content', review.operation_policy_content(o),
    'declaredProtection', o.protection_class, 'protectionClass', ledger.protection_of(o),
    'proposal', ${waitingProposal('OPERATION')}) as own
  from (select $1::text as tenant_id, $2::text collate "C" as operation) k
  join review.tenants t on t.tenant_id = k.tenant_id
  cross join lateral review.policy_in_force(k.tenant_id, k.operation) f
  cross join lateral ledger.policy_for(k.tenant_id, k.operation) o`;

/** Versions and the proposals that became none; what has been installed names nobody. */
const HISTORY = `
  select 'version' as kind, 'v' || v.version as ref, v.version, ledger.instant(v.retired_at) as "retiredAt", null as state,
    p.reason, a.display_name as "requestedBy", b.display_name as "decidedBy", ledger.instant(v.created_at) as at
  from ledger.operation_policies v left join review.policy_proposals p on p.proposal_id = v.proposal_id
  left join review.people a on a.person_id = p.requested_by left join review.people b on b.person_id = p.decided_by
  where v.tenant_id = $1 and v.operation = $2
  union all
  select 'proposal', p.proposal_id::text, null, null,
    case when p.state = 'PENDING' and p.expires_at <= ledger.clock() then 'EXPIRED' else p.state end,
    p.reason, a.display_name, b.display_name, ledger.instant(p.requested_at)
  from review.policy_proposals p join review.people a on a.person_id = p.requested_by
  left join review.people b on b.person_id = p.decided_by
  where p.tenant_id = $1 and p.operation = $2 and p.kind = 'OPERATION' and p.state not in ('CONFIRMED', 'APPLIED')
  order by at desc, ref desc limit 200`;

const OPERATION = /^[\x21-\x7e]{1,128}$/;

/** Both policies of one operation, with everything before them; null for what is not the reader's, or no operation's name. */
export async function getPolicies(ctx: ReadContext, place: Place): Promise<PoliciesOfOperation | null> {
  if (!ctx.actor.tenantIds.includes(place.tenantId) || !OPERATION.test(place.operation)) return null;
  const values = [place.tenantId, place.operation];
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(POLICIES, values);
  const [row] = rows;
  if (row === undefined) return null;
  const history = await ctx.db.query<PolicyHistoryEntry & Record<string, unknown>>(HISTORY, values);
  const mayChange = hasRoleFor(ctx.actor, 'policy.manage');
  const { own, proposal, ...approval } = row;
  const refusal = <Content>(of: ReadProposal<Content> | null) =>
    withRefusal(of, mayChange, ctx.actor.personId);
  return {
    mayChange,
    approval: { ...approval, proposal: refusal(proposal) },
    operation: { ...own, proposal: refusal(own.proposal), history: history.rows },
  };
}

const CONTENT = `
  select review.operation_policy_content(v) as content from ledger.operation_policies v
   where v.tenant_id = $1 and v.operation = $2 and 'v' || v.version = $3
  union all select review.operation_policy_content(b) from ledger.policy_for('*', '*') b where $3 = 'v0'
  union all select p.content from review.policy_proposals p
   where p.tenant_id = $1 and p.operation = $2 and p.kind = 'OPERATION' and p.proposal_id::text = $3
  limit 1`;

/** What a version or a proposal said, by its name in the history; null where there is none. */
export async function getPolicyContent(
  ctx: ReadContext,
  place: Place,
  ref: string,
): Promise<OperationPolicyContent | null> {
  if (!ctx.actor.tenantIds.includes(place.tenantId)) return null;
  const { rows } = await ctx.db.query<{ content: OperationPolicyContent }>(CONTENT, [
    place.tenantId,
    place.operation,
    ref,
  ]);
  return rows[0]?.content ?? null;
}

/** Connectors that a policy of the tenant can name. */
export async function listConnectorIds(ctx: ReadContext, tenantId: string): Promise<string[]> {
  const { rows } = await ctx.db.query<{ id: string }>(
    `select connector_id as id from review.connectors where tenant_id is null or tenant_id = $1 order by connector_id limit 500`,
    [ctx.actor.tenantIds.includes(tenantId) ? tenantId : ''],
  );
  return rows.map(({ id }) => id);
}
