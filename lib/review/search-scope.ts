import { type Queryable } from '@/lib/db/pool';
import { prefixPattern, type SqlParameters } from './sql-parameters';

/**
 * What a search text means for a statement. `few` holds the matches themselves; `many` is asked row by row, because a
 * short text matches most rows and listing them first would read the whole ledger.
 */
export type SearchScope =
  | { kind: 'none' }
  | { kind: 'few'; executionIds: readonly string[]; exceptionIds: readonly string[] }
  | { kind: 'many'; pattern: string };

/** Matches that are worth carrying along; past it nearly every row is one. */
const FEW = 1_000;

/**
 * Finds what begins with the text, letter for letter, among keys, request ids (of the first and of every later arrival)
 * and result ids of these tenants. Each branch reads its own index and stops early.
 */
export async function searchScope(
  db: Queryable,
  text: string,
  tenants: readonly string[],
): Promise<SearchScope> {
  if (text === '') return { kind: 'none' };
  const pattern = prefixPattern(text);
  const { rows } = await db.query<{ execution_ids: string[]; exception_ids: string[]; most: number }>(
    `with tenant as (select unnest($2::text[]) as tenant_id),
     hit as (
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.idempotency_key like $1::text limit $3)
       union all
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.request_id like $1::text limit $3)
       union all
       (select e.execution_id from tenant t join ledger.executions e on e.tenant_id = t.tenant_id and e.result_id like $1::text limit $3)
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
    [pattern, tenants, FEW],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('bug: a select of arrays answers one row');
  return found.most >= FEW
    ? { kind: 'many', pattern }
    : { kind: 'few', executionIds: found.execution_ids, exceptionIds: found.exception_ids };
}

/** The scope as a condition on `ledger.executions e`. */
export function executionMatches(scope: SearchScope, $: SqlParameters): string {
  switch (scope.kind) {
    case 'none':
      return 'true';
    case 'few':
      return `e.execution_id = any(${$.add(scope.executionIds, 'uuid[]')})`;
    case 'many': {
      const pattern = $.add(scope.pattern, 'text');
      return `(e.idempotency_key like ${pattern} or e.request_id like ${pattern} or e.result_id like ${pattern}
        or exists (select from ledger.intakes i where i.execution_id = e.execution_id and i.request_id like ${pattern}))`;
    }
    default: {
      const impossible: never = scope;
      throw new Error(`bug: unknown search scope ${JSON.stringify(impossible)}`);
    }
  }
}

/** The scope as a condition on `review.exceptions x`; a keyless arrival has no execution and is found by its operation. */
export function exceptionMatches(scope: SearchScope, $: SqlParameters): string {
  switch (scope.kind) {
    case 'none':
      return 'true';
    case 'few':
      return `(x.execution_id = any(${$.add(scope.executionIds, 'uuid[]')}) or x.exception_id = any(${$.add(scope.exceptionIds, 'uuid[]')}))`;
    case 'many': {
      const pattern = $.add(scope.pattern, 'text');
      // OFFSET 0 keeps it a question per row: turned into a join, it would read every match before the first row.
      return `(exists (select from ledger.executions e where e.execution_id = x.execution_id and ${executionMatches(scope, $)} offset 0)
        or (x.execution_id is null and exists (
          select from ledger.intakes i
          where i.tenant_id = x.tenant_id and i.principal_id = x.principal_id and i.operation = x.operation
            and i.disposition = 'KEY_MISSING' and i.request_id like ${pattern} offset 0)))`;
    }
    default: {
      const impossible: never = scope;
      throw new Error(`bug: unknown search scope ${JSON.stringify(impossible)}`);
    }
  }
}
