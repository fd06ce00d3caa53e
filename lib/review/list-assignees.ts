import 'server-only';
import { type ReadContext } from './read-context';

/** The most names that a menu holds. */
const MOST = 100;

export interface Assignee {
  personId: string;
  displayName: string;
}

/** People who may take an exception in one of the actor's tenants, by name. */
export async function listAssignees(ctx: ReadContext): Promise<Assignee[]> {
  const { rows } = await ctx.db.query<{ person_id: string; display_name: string }>(
    `select person_id, display_name from review.people
     where disabled_at is null and tenant_ids && $1::text[] and roles && array['OPERATOR', 'APPROVER']
     order by display_name, person_id limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => ({ personId: row.person_id, displayName: row.display_name }));
}
