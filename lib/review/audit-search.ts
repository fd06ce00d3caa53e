import { type Queryable } from '@/lib/db/pool';
import { namedCodes, type NamedCodes } from '@/lib/domain/audit-titles';
import { aboutExecutions } from './about-executions';
import { aboutPeople } from './about-people';
import { searchScope } from './search-scope';
import { type SqlParameters } from './sql-parameters';

/** What a search text means for the audit. All but words are read by an index, however long the log. */
export type AuditSearch =
  | { kind: 'none' }
  /** It begins a key, request id, result id or business reference of these executions. */
  | { kind: 'executions'; executionIds: readonly string[] }
  /** The whole id of an exception, execution, request or operation. */
  | { kind: 'id'; id: string }
  | { kind: 'words'; text: string; named: NamedCodes; personIds: readonly string[] };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Names come before words; the scope `words` asks for the words all the same. */
export async function auditSearch(
  db: Queryable,
  { text, scope }: { readonly text: string; readonly scope: 'words' | null },
  tenants: readonly string[],
): Promise<AuditSearch> {
  if (text === '') return { kind: 'none' };
  if (scope === 'words') return wordsOf(db, text, tenants);
  const found = await searchScope(db, text, tenants);
  const executionIds = found === 'too-broad' || found.kind === 'none' ? [] : found.executionIds;
  // Keys may look like ids, so they come first.
  if (executionIds.length > 0) return { kind: 'executions', executionIds };
  return UUID.test(text) ? { kind: 'id', id: text } : wordsOf(db, text, tenants);
}

/** Most people that a name stands for; a text that is in more names is no name. */
const MOST_PEOPLE = 50;

/** What the list prints in words is stored as codes and ids (R-088i): a text means these as well. */
async function wordsOf(db: Queryable, text: string, tenants: readonly string[]): Promise<AuditSearch> {
  const { rows } = await db.query<{ id: string }>(
    `select person_id::text as id from review.people where display_name ilike $1 and tenant_ids && $2::text[] order by person_id limit $3`,
    [anywhere(text), tenants, MOST_PEOPLE + 1],
  );
  const personIds = rows.length > MOST_PEOPLE ? [] : rows.map(({ id }) => id);
  return { kind: 'words', text, named: namedCodes(text), personIds };
}

/** The search as a condition on `review.audit_events e`. */
export function auditMatches(search: AuditSearch, $: SqlParameters): string {
  switch (search.kind) {
    case 'none':
      return 'true';
    case 'id': {
      const id = $.add(search.id, 'uuid');
      return `(e.exception_id = ${id} or ${aboutExecutions([search.id], $)} or e.approval_request_id = ${id} or e.operation_id = ${id})`;
    }
    case 'executions':
      return aboutExecutions(search.executionIds, $);
    case 'words':
      return `(${[containsText(search.text, $), ...meansNamed(search, $)].join(' or ')})`;
    default:
      return search satisfies never;
  }
}

function meansNamed(
  { named, personIds }: Extract<AuditSearch, { kind: 'words' }>,
  $: SqlParameters,
): string[] {
  const { events, refusals, codes } = named;
  const actors = [...named.actors, ...personIds];
  const inside = [...codes.map((code) => `%"${code}"%`), ...personIds.map((id) => `%"${id}"%`)];
  return [
    ...(events.length === 0 ? [] : [`e.event = any(${$.add(events, 'text[]')})`]),
    ...(refusals.length === 0 ? [] : [`e.refusal_code = any(${$.add(refusals, 'text[]')})`]),
    ...(actors.length === 0 ? [] : [aboutPeople(actors, $)]),
    ...(inside.length === 0 ? [] : [`e.body like any(${$.add(inside.map(escapeUnderscores), 'text[]')})`]),
  ];
}

const escapeUnderscores = (pattern: string) => pattern.replace(/_/g, '\\_');
const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

// The stored body is JSON text: what a person typed stands in it with JSON's escapes.
function containsText(text: string, $: SqlParameters): string {
  const inside = (value: string) => $.add(anywhere(value), 'text');
  const plain = inside(text);
  const escaped = inside(JSON.stringify(text).slice(1, -1));
  return `(e.body ilike ${escaped} or exists (select from review.audit_texts t where t.event_number = e.number and t.value ilike ${plain})
    or concat_ws(' ', e.number::text, e.event, e.refusal_code, e.actor_name, e.operation,
    e.exception_id::text, e.execution_id::text, e.approval_request_id::text, e.operation_id::text) ilike ${plain})`;
}
