import 'server-only';
import { BREAK_GLASS_AUTHORITY } from '@/lib/domain/actor';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { GrantView, PersonRow, PersonView } from '@/lib/domain/person-row';
import type { RefusalCode } from '@/lib/domain/refusals';
import type { ReadContext } from '../read-context';
import { inTenants, personColumns } from './person-columns';

type Read = PersonRow & Pick<PersonView, 'issuer' | 'providerRoles'> & { version: string; beyond: boolean };
type ReadGrant = Omit<GrantView, 'confirmRefusal'> & { beyond: boolean };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const GRANT = `
  select g.grant_id as "grantId", g.roles, g.authorities, g.reason, not g.tenant_ids <@ $2::text[] as beyond,
         (select coalesce(jsonb_agg(jsonb_build_object('tenantId', t.tenant_id, 'displayName', t.display_name) order by t.display_name), '[]')
            from review.tenants t where t.tenant_id = any(g.tenant_ids) and t.tenant_id = any($2::text[])) as tenants,
         jsonb_build_object('personId', r.person_id, 'displayName', r.display_name) as "requestedBy",
         ledger.instant(g.requested_at) as "requestedAt", ledger.instant(g.expires_at) as "expiresAt"
    from review.right_grants g join review.people r on r.person_id = g.requested_by
   where g.person_id = $1 and g.state = 'PENDING' and g.expires_at > ledger.clock()`;

/** One person of the administrator's tenants; null for others, and for who is no administrator. */
export async function getPerson(ctx: ReadContext, personId: string): Promise<PersonView | null> {
  if (!hasRoleFor(ctx.actor, 'people.manage') || !UUID.test(personId)) return null;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(
    `select ${personColumns('$2::text[]')}, p.version::text as version, not p.tenant_ids <@ $2::text[] as beyond,
            (select i.issuer from review.identities i where i.person_id = p.person_id and i.ended_at is null) as issuer,
            array(select r.name from review.person_rights r where r.person_id = p.person_id and r.issuer is not null) as "providerRoles"
       from review.people p where p.person_id = $1::uuid and ${inTenants('$2::text[]')}`,
    [personId, ctx.actor.tenantIds],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const grants = await ctx.db.query<ReadGrant & Record<string, unknown>>(GRANT, [
    personId,
    ctx.actor.tenantIds,
  ]);
  const { beyond, ...person } = row;
  const refusal: RefusalCode | null =
    personId === ctx.actor.personId ? 'OWN_RIGHTS' : beyond ? 'OTHER_TENANTS_TOO' : null;
  const [grant] = grants.rows;
  return {
    ...person,
    refusal,
    grant:
      grant === undefined
        ? null
        : { ...grant, confirmRefusal: refusal ?? refuseConfirming(grant, person, ctx.actor.personId) },
  };
}

function refuseConfirming(grant: ReadGrant, person: PersonRow, me: string): RefusalCode | null {
  if (grant.requestedBy.personId === me) return 'SELF_APPROVAL';
  if (grant.beyond) return 'TENANT_NOT_GRANTED';
  return person.state === 'DISABLED' ? 'PERSON_DISABLED' : null;
}

/** Authorities that the administrator's tenants know: of their operations, and of their people. */
export async function listAuthorities(ctx: ReadContext): Promise<string[]> {
  const { rows } = await ctx.db.query<{ name: string }>(
    `select distinct name from (
       select authority as name from ledger.operation_policies where tenant_id = any($1::text[])
       union select unnest(p.authorities) from review.people p where p.tenant_ids && $1::text[]
       union select $2) known
     where name <> 'general' order by name limit 100`,
    [ctx.actor.tenantIds, BREAK_GLASS_AUTHORITY],
  );
  return rows.map((row) => row.name);
}
