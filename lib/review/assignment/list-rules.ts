import 'server-only';
import type { AssignmentRuleRow } from '@/lib/domain/assignment-rule';
import type { ReadContext } from '../read-context';

/** Rules that one page shows; a tenant has a few. */
const MOST = 200;

/** The rules in force in the actor's tenants, the narrowest first. Null: not an administrator. */
export async function listAssignmentRules(ctx: ReadContext): Promise<AssignmentRuleRow[] | null> {
  if (!ctx.actor.roles.includes('ADMIN')) return null;
  const { rows } = await ctx.db.query<AssignmentRuleRow & Record<string, unknown>>(
    `select r.rule_id as "ruleId", r.tenant_id as "tenantId", t.display_name as "tenantName", r.operation, r.authority, r.mode,
       case when a.person_id is not null then jsonb_build_object('personId', a.person_id, 'displayName', a.display_name) end as assignee,
       jsonb_build_object('personId', m.person_id, 'displayName', m.display_name) as "madeBy", ledger.instant(r.made_at) as "madeAt",
       (select coalesce(sum(given), 0)::integer from review.assignment_turns u where u.rule_id = r.rule_id) as given,
       (select count(*)::integer from review.exceptions x where x.tenant_id = r.tenant_id and x.state = 'OPEN' and x.assignee_id is null
          and x.operation = coalesce(r.operation, x.operation)
          and exists (select from review.exception_events v where v.exception_id = x.exception_id and v.event = 'rule_waits')) as waiting
     from review.assignment_rules r join review.tenants t on t.tenant_id = r.tenant_id
     join review.people m on m.person_id = r.made_by left join review.people a on a.person_id = r.assignee_id
     where r.ended_at is null and r.tenant_id = any($1::text[])
     order by t.display_name, r.operation is null, r.authority is null, r.operation, r.authority limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows;
}
