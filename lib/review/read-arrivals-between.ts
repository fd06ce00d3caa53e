import 'server-only';
import type { ArrivalsBetween } from '@/lib/domain/audit-shown';
import type { ReadContext } from './read-context';

// Index: intakes_by_execution. The tenant list is part of the question.
const BETWEEN = `
  select count(*)::integer as count, ledger.instant(max(i.received_at)) as "lastAt",
    (array_agg(i.disposition order by i.received_at desc, i.intake_id desc))[1] as answer
  from ledger.intakes i join ledger.executions e on e.execution_id = i.execution_id
  where i.execution_id = $1::uuid and e.tenant_id = any($2::text[])
    and i.received_at > $3::timestamptz and i.received_at < $4::timestamptz having count(*) > 0`;

/** What arrived for an execution after the look that was shown and before the act (R-088v); null for nothing. */
export async function readArrivalsBetween(
  ctx: ReadContext,
  executionId: string,
  [from, until]: readonly [string, string],
): Promise<ArrivalsBetween | null> {
  const { rows } = await ctx.db.query<ArrivalsBetween & Record<string, unknown>>(BETWEEN, [
    executionId,
    ctx.actor.tenantIds,
    from,
    until,
  ]);
  return rows[0] ?? null;
}
