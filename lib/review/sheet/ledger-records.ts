import 'server-only';
import type { Queryable } from '@/lib/db/pool';
import type { LedgerRecord } from '@/lib/domain/judge-against-ledger';

/** Whose keys a sheet is about. */
export interface SheetScope {
  readonly tenantId: string;
  readonly principalId: string;
  readonly operation: string;
}

/** Keys per statement: each is one probe of an index. */
const SLICE = 500;

// Index: executions_scope_is_unique.
const RECORDS = `
  select e.idempotency_key as key, e.state, e.content_version as "contentVersion", e.result_id as "resultId",
         e.superseded_by is not null as "isSuperseded"
    from ledger.executions e
   where e.tenant_id = $1 and e.principal_id = $2 and e.operation = $3 and e.idempotency_key = any($4::text[])`;

const SCOPE = `
  select exists (select 1 from ledger.executions e
                  where e.principal_id = p.principal_id and e.operation = $3) as "isUsed"
    from ledger.principals p where p.principal_id = $2 and p.tenant_id = $1`;

/** What stands under these keys. Only reads; a key that the ledger does not have is not in the answer. */
export async function ledgerRecords(
  db: Queryable,
  { tenantId, principalId, operation }: SheetScope,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LedgerRecord>> {
  const found = new Map<string, LedgerRecord>();
  const distinct = [...new Set(keys)];
  for (let at = 0; at < distinct.length; at += SLICE) {
    const values = [tenantId, principalId, operation, distinct.slice(at, at + SLICE)];
    const { rows } = await db.query<LedgerRecord & { key: string }>(RECORDS, values);
    for (const { key, ...record } of rows) found.set(key, record);
  }
  return found;
}

/** Why nothing can be held against this scope, or null: a name that is mistyped must not look like an empty ledger. */
export async function scopeFault(db: Queryable, scope: SheetScope): Promise<string | null> {
  const { tenantId, principalId, operation } = scope;
  const { rows } = await db.query<{ isUsed: boolean }>(SCOPE, [tenantId, principalId, operation]);
  const [known] = rows;
  if (known === undefined) return `The tenant ${tenantId} has no principal ${principalId}.`;
  return known.isUsed ? null : `The ledger has nothing of ${principalId} for the operation ${operation}.`;
}
