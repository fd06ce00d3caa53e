/** What of `review.people p` a row shows; `$tenants` is the placeholder of the reader's tenants. */
export const personColumns = (tenants: string): string => `
  p.person_id as "personId", p.display_name as "displayName", p.email, p.roles, p.authorities,
  ${PERSON_STATE} as state,
  (select coalesce(jsonb_agg(jsonb_build_object('tenantId', t.tenant_id, 'displayName', t.display_name) order by t.display_name), '[]')
     from review.tenants t where t.tenant_id = any(p.tenant_ids) and t.tenant_id = any(${tenants})) as tenants,
  exists (select from review.right_grants g where g.person_id = p.person_id and g.state = 'PENDING'
            and g.expires_at > ledger.clock()) as waiting,
  (select ledger.instant(max(s.last_seen_at)) from review.sessions s where s.person_id = p.person_id) as "lastSeenAt"`;

export const PERSON_STATE = `case when p.disabled_at is not null then 'DISABLED' when p.password_hash is null and not exists (select from review.identities i where i.person_id = p.person_id and i.ended_at is null) then 'INVITED' else 'ACTIVE' end`;

/** people of the reader's tenants, and those who have none. */
export const inTenants = (tenants: string): string =>
  `(p.tenant_ids && ${tenants} or cardinality(p.tenant_ids) = 0)`;
