import 'server-only';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { PersonRow, PersonState } from '@/lib/domain/person-row';
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
import { inTenants, personColumns, PERSON_STATE } from './person-columns';

const KEYSET: Keyset = {
  columns: [
    { expression: 'p.display_name', type: 'text' },
    { expression: 'p.person_id', type: 'uuid' },
  ],
  descending: false,
};

export type ListPeopleAnswer =
  ({ kind: 'page' } & Page<PersonRow>) | { kind: 'cursor-refused' } | { kind: 'forbidden' };

type Read = PersonRow & { position: string[] };

/** One page of the people of the administrator's tenants, by name. Empty `states` do not narrow. */
export async function listPeople(
  ctx: ReadContext,
  input: { states: readonly PersonState[]; cursor: string | null; size: number },
): Promise<ListPeopleAnswer> {
  if (!hasRoleFor(ctx.actor, 'people.manage')) return { kind: 'forbidden' };
  const size = Math.min(Math.max(1, Math.trunc(input.size)), LARGEST_PAGE);
  const tenants = [...new Set(ctx.actor.tenantIds)].sort();
  const binding = ['people', JSON.stringify(input.states), ...tenants];
  const position = input.cursor === null ? null : readCursor(input.cursor, KEYSET, binding);
  if (input.cursor !== null && position === null) return { kind: 'cursor-refused' };
  const $ = new SqlParameters();
  const own = $.add(tenants, 'text[]');
  const conditions = [inTenants(own), afterPosition(KEYSET, position, $)];
  if (input.states.length > 0) conditions.push(`(${PERSON_STATE}) = any(${$.add(input.states, 'text[]')})`);
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${positionOf(KEYSET)} as position, ${personColumns(own)}
     from review.people p where ${conditions.join(' and ')}
     order by ${orderBy(KEYSET, position?.backwards ?? false)} limit ${$.add(size + 1, 'integer')}`,
    $.values,
  );
  const page = takePage(rows, size, position, binding);
  return { kind: 'page', ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
}
