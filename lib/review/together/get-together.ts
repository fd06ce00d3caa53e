import 'server-only';
import type { PersonRef } from '@/lib/domain/person-ref';
import type { Ticket, Together } from '@/lib/domain/working-together';
import type { ReadContext } from '../read-context';

/** The most names that a menu holds. */
const MOST = 200;

/** What people added to an exception of the actor's tenants; nothing of it where it is not theirs to see. */
export async function getTogether(ctx: ReadContext, exceptionId: string): Promise<Together> {
  const { rows } = await ctx.db.query<{
    watching: boolean;
    ticket: Ticket | null;
    mentionable: PersonRef[] | null;
  }>(
    `select exists (select from review.watches w where w.exception_id = x.exception_id and w.person_id = $2::uuid) as watching,
       (select jsonb_build_object('address', k.address, 'label', k.label, 'linkedAt', ledger.instant(k.linked_at),
          'linkedBy', jsonb_build_object('personId', p.person_id, 'displayName', p.display_name))
        from review.ticket_links k join review.people p on p.person_id = k.linked_by where k.exception_id = x.exception_id) as ticket,
       (select jsonb_agg(m) from (select person_id as "personId", display_name as "displayName" from review.people
          where disabled_at is null and x.tenant_id = any(tenant_ids) and person_id <> $2::uuid
          order by display_name, person_id limit ${MOST}) m) as mentionable
     from review.exceptions x where x.exception_id = $1::uuid and x.tenant_id = any($3::text[])`,
    [exceptionId, ctx.actor.personId, ctx.actor.tenantIds],
  );
  const [row] = rows;
  return {
    watching: row?.watching ?? false,
    ticket: row?.ticket ?? null,
    mentionable: row?.mentionable ?? [],
  };
}
