import 'server-only';
import { type ReadContext } from './read-context';

/** The most names that a menu holds; further ones are found by typing the operation into the address. */
const MOST = 200;

/**
 * The operations that were ever claimed in the actor's tenants, by name. Jumps from name to name along the unique index
 * of scopes, so that its cost is that of the names and not of the rows.
 */
export async function listOperations(ctx: ReadContext): Promise<string[]> {
  const { rows } = await ctx.db.query<{ operation: string }>(
    `with recursive named as (
       select p.principal_id, (select min(e.operation) from ledger.executions e where e.principal_id = p.principal_id) as operation
       from ledger.principals p where p.tenant_id = any($1::text[])
       union all
       select n.principal_id,
         (select min(e.operation) from ledger.executions e where e.principal_id = n.principal_id and e.operation > n.operation)
       from named n where n.operation is not null)
     select operation from (
       select operation from named where operation is not null
       union
       select operation from ledger.operation_policies where tenant_id = any($1::text[]) and retired_at is null) known
     order by operation limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => row.operation);
}
