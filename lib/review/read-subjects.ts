import 'server-only';
import type { AuditRecord } from '@/lib/domain/audit-events';
import type { AuditSubject } from '@/lib/domain/audit-shown';
import type { ReadContext } from './read-context';

/** What the events of one page are about, by their executions' ids (R-088ab): by primary key, as many as the page has rows. */
export async function readSubjects(
  ctx: ReadContext,
  rows: readonly AuditRecord[],
): Promise<Record<string, AuditSubject>> {
  const ids = [...new Set(rows.flatMap(({ executionId }) => executionId ?? []))];
  if (ids.length === 0) return {};
  const { rows: found } = await ctx.db.query<AuditSubject & { id: string } & Record<string, unknown>>(
    `select e.execution_id::text as id, e.business_ref as "businessRef", e.idempotency_key as key
       from ledger.executions e where e.execution_id = any($1::uuid[]) and e.tenant_id = any($2::text[])`,
    [ids, ctx.actor.tenantIds],
  );
  return Object.fromEntries(found.map(({ id, businessRef, key }) => [id, { businessRef, key }]));
}
