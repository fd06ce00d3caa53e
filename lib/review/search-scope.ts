import { type Queryable } from '@/lib/db/pool';
import { prefixPattern, type SqlParameters } from './sql-parameters';

/**
 * What a search text means for a statement. `few` holds the matches; `too-broad` says that there are more than anybody
 * could look through, so that the list asks for more letters instead of reading the whole ledger.
 */
export type SearchScope =
  { kind: 'none' } | { kind: 'few'; executionIds: readonly string[]; exceptionIds: readonly string[] };

/** More matches than this, and the text is too broad. */
export const BROADEST_SEARCH = 5_000;

/**
 * Finds what begins with the text, letter for letter, among keys, request ids (of the first and of every later arrival),
 * result ids and business references of these tenants. Each branch reads its own index and stops early.
 */
export async function searchScope(
  db: Queryable,
  text: string,
  tenants: readonly string[],
): Promise<SearchScope | 'too-broad'> {
  if (text === '') return { kind: 'none' };
  const { rows } = await db.query<{ execution_ids: string[]; exception_ids: string[]; most: number }>(
    `with tenant as (select unnest($2::text[]) as tenant_id),
     hit as (
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.idempotency_key like $1::text limit $3)
       union all
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.request_id like $1::text limit $3)
       union all
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.result_id like $1::text limit $3)
       union all
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.business_ref like $1::text limit $3)
       union all
       (select i.execution_id from tenant t join ledger.intakes i on i.tenant_id = t.tenant_id and i.request_id like $1::text
        where i.execution_id is not null limit $3)),
     keyless as (
       select x.exception_id from tenant t join review.exceptions x on x.tenant_id = t.tenant_id
       where x.execution_id is null and exists (
         select from ledger.intakes i
         where i.tenant_id = x.tenant_id and i.principal_id = x.principal_id and i.operation = x.operation
           and i.disposition = 'KEY_MISSING' and i.request_id like $1::text)
       limit $3)
     select array(select distinct execution_id from hit) as execution_ids, array(select exception_id from keyless) as exception_ids,
       greatest((select count(*) from hit), (select count(*) from keyless))::integer as most`,
    [prefixPattern(text), tenants, BROADEST_SEARCH + 1],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('bug: a select of arrays answers one row');
  return found.most > BROADEST_SEARCH
    ? 'too-broad'
    : { kind: 'few', executionIds: found.execution_ids, exceptionIds: found.exception_ids };
}

/** The scope as a condition on `ledger.executions e`. */
export function executionMatches(scope: SearchScope, $: SqlParameters): string {
  return scope.kind === 'none' ? 'true' : `e.execution_id = any(${$.add(scope.executionIds, 'uuid[]')})`;
}

/** The scope as a condition on `review.exceptions x`; a keyless arrival has no execution and is found by its operation. */
export function exceptionMatches(scope: SearchScope, $: SqlParameters): string {
  if (scope.kind === 'none') return 'true';
  return `(x.execution_id = any(${$.add(scope.executionIds, 'uuid[]')}) or x.exception_id = any(${$.add(scope.exceptionIds, 'uuid[]')}))`;
}
