import { type Queryable } from '@/lib/db/pool';
import { searchScope } from './search-scope';
import { type SqlParameters } from './sql-parameters';

/** What a search text means for the audit. All but words are read by an index, however long the log. */
export type AuditSearch =
  | { kind: 'none' }
  /** It begins a key, request id, result id or business reference of these executions. */
  | { kind: 'executions'; executionIds: readonly string[] }
  /** The whole id of an exception, execution, request or operation. */
  | { kind: 'id'; id: string }
  | { kind: 'words'; text: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names come before words; the scope `words` asks for the words all the same. */
export async function auditSearch(
  db: Queryable,
  { text, scope }: { readonly text: string; readonly scope: 'words' | null },
  tenants: readonly string[],
): Promise<AuditSearch> {
  if (text === '') return { kind: 'none' };
  if (scope === 'words') return { kind: 'words', text };
  const found = await searchScope(db, text, tenants);
  const executionIds = found === 'too-broad' || found.kind === 'none' ? [] : found.executionIds;
  // Keys may look like ids, so they come first.
  if (executionIds.length > 0) return { kind: 'executions', executionIds };
  return UUID.test(text) ? { kind: 'id', id: text } : { kind: 'words', text };
}

/** The search as a condition on `review.audit_events e`. */
export function auditMatches(search: AuditSearch, $: SqlParameters): string {
  switch (search.kind) {
    case 'none':
      return 'true';
    case 'id': {
      const id = $.add(search.id, 'uuid');
      return `(e.exception_id = ${id} or e.execution_id = ${id} or e.approval_request_id = ${id} or e.operation_id = ${id})`;
    }
    case 'executions':
      return `e.execution_id = any(${$.add(search.executionIds, 'uuid[]')})`;
    case 'words':
      return containsText(search.text, $);
    default:
      return search satisfies never;
  }
}

// The stored body is JSON text: what a person typed stands in it with JSON's escapes.
function containsText(text: string, $: SqlParameters): string {
  const inside = (value: string) => $.add(`%${value.replace(/[\\%_]/g, '\\$&')}%`, 'text');
  const plain = inside(text);
  const escaped = inside(JSON.stringify(text).slice(1, -1));
  return `(e.body ilike ${escaped} or exists (select from review.audit_texts t where t.event_number = e.number and t.value ilike ${plain})
    or concat_ws(' ', e.number::text, e.event, e.refusal_code, e.actor_name, e.operation,
    e.exception_id::text, e.execution_id::text, e.approval_request_id::text, e.operation_id::text) ilike ${plain})`;
}
