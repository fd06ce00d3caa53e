import 'server-only';
import { type ReadContext } from './read-context';

/** The most names that a menu holds. */
const MOST = 200;

export interface AuditActor {
  actorId: string;
  displayName: string;
}

/** People of the actor's tenants, present and former, by name. System actors have fixed names. */
export async function listAuditActors(ctx: ReadContext): Promise<AuditActor[]> {
  const { rows } = await ctx.db.query<{ actor_id: string; display_name: string }>(
    `select person_id::text as actor_id, display_name from review.people
      where tenant_ids && $1::text[] order by display_name, person_id limit ${MOST}`,
    [ctx.actor.tenantIds],
  );
  return rows.map((row) => ({ actorId: row.actor_id, displayName: row.display_name }));
}
