import 'server-only';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { PolicyListRow } from '@/lib/domain/policy-row';
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
import { POLICY_COLUMNS, withRefusal, type ReadPolicy } from './policy-rows';

const KEYSET: Keyset = {
  columns: [
    { expression: 'k.operation', type: 'text' },
    { expression: 'k.tenant_id', type: 'text' },
  ],
  descending: false,
};

export type ListPoliciesAnswer =
  ({ kind: 'page' } & Page<PolicyListRow> & { mayChange: boolean }) | { kind: 'cursor-refused' };

interface Read extends ReadPolicy, Pick<PolicyListRow, 'summary'> {
  position: string[];
}

/** Operations with a policy of either sort, or with a change that waits; of others the built-in default holds. */
const known = (tenants: string): string => `(
  select tenant_id, operation collate "default" as operation from ledger.operation_policies where tenant_id = any(${tenants}) and retired_at is null
  union select tenant_id, operation collate "default" from review.approval_policies where tenant_id = any(${tenants})
  union select tenant_id, operation collate "default" from review.policy_proposals where tenant_id = any(${tenants}) and state = 'PENDING') k`;

/** One page of the policies of the reader's tenants, by operation. Everybody reads them; administrators change them. */
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
    `select ${positionOf(KEYSET)} as position, ${POLICY_COLUMNS},
       jsonb_build_object('version', case when o.tenant_id = '*' then 0 else o.version end, 'effectClass', o.effect_class,
         'declaredProtection', o.protection_class, 'protectionClass', ledger.protection_of(o), 'retentionSeconds', o.retention_seconds,
         'hasGuide', o.guide <> '{}', 'waits', exists (select from review.policy_proposals p where p.tenant_id = k.tenant_id
           and p.operation = k.operation and p.kind = 'OPERATION' and p.state = 'PENDING' and p.expires_at > ledger.clock())) as summary
     from ${known(own)}
     join review.tenants t on t.tenant_id = k.tenant_id
     cross join lateral review.policy_in_force(k.tenant_id, k.operation) f
     cross join lateral ledger.policy_for(k.tenant_id, k.operation) o
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
      proposal: withRefusal(proposal, mayChange, ctx.actor.personId),
    })),
  };
}
