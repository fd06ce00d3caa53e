import 'server-only';
import { MOST_VIEWS, type QueueView } from '@/lib/domain/queue-view';
import { type ReadContext } from '../read-context';

/** Shown of all: the reader's own come first. */
const MOST = 3 * MOST_VIEWS;

/**
 * R-053 The actor's own views, and those shared with a tenant that is granted to them now. Indexes:
 * queue_views_one_name_per_owner, queue_view_shares_one_name_per_tenant.
 */
export async function listViews({ actor, db }: ReadContext): Promise<QueueView[]> {
  // The one thing put into the text is a number of ours.
  const { rows } = await db.query<QueueView>(
    `select v.view_id as "viewId", v.name, v.address, v.version,
       jsonb_build_object('personId', p.person_id, 'displayName', p.display_name) as owner,
       array(select s.tenant_id from review.queue_view_shares s
             where s.view_id = v.view_id and s.tenant_id = any($2::text[]) order by s.tenant_id) as "tenantIds"
     from review.queue_views v join review.people p on p.person_id = v.owner_id
     where v.view_id in (
       select o.view_id from review.queue_views o where o.owner_id = $1::uuid
       union all select s.view_id from review.queue_view_shares s where s.tenant_id = any($2::text[]))
     order by v.owner_id <> $1::uuid, v.name_key, v.view_id limit ${MOST}`,
    [actor.personId, actor.tenantIds],
  );
  return rows;
}
