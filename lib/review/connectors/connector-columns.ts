/** Connectors that the reader sees, named or proposed: those of the own tenants and those for all of them. */
export const seesTenant = (column: string, tenants: string): string =>
  `(${column} is null or ${column} = any(${tenants}))`;

/** Whether the reader carries a connector of that tenant; one for every tenant takes all of them. */
export const carriesTenant = (column: string, tenants: string): string =>
  `(case when ${column} is null then not exists (select from review.tenants own where not own.tenant_id = any(${tenants}))
     else ${column} = any(${tenants}) end)`;

/** A proposal that still waits, as pages show it; alias `p`, its asker `a`. */
export const PROPOSAL = `case when p.proposal_id is not null then jsonb_build_object('proposalId', p.proposal_id,
  'content', jsonb_build_object('version', p.base_version, 'retired', p.retires, 'recipe', p.recipe), 'reason', p.reason,
  'requestedBy', jsonb_build_object('personId', a.person_id, 'displayName', a.display_name),
  'requestedAt', ledger.instant(p.requested_at), 'expiresAt', ledger.instant(p.expires_at)) end`;
