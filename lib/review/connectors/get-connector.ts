import 'server-only';
import type { ConnectorProposalView, ConnectorVersionView, ConnectorView } from '@/lib/domain/connector-view';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { ReadContext } from '../read-context';
import { carriesTenant, PROPOSAL, seesTenant } from './connector-columns';

interface Read extends Omit<ConnectorView, 'versions' | 'proposal' | 'changeRefusal'> {
  carries: boolean;
  proposal: Omit<ConnectorProposalView, 'confirmRefusal'> | null;
}

/** Versions that a page lists; older ones are in the audit. */
const VERSIONS_SHOWN = 100;

const CONNECTOR = `
  select k.connector_id as "connectorId", k.tenant_id as "tenantId", t.display_name as "tenantName", k.version, k.retired, k.recipe,
    k.allow_private as "allowPrivate", ${carriesTenant('k.tenant_id', '$2::text[]')} as carries, ${PROPOSAL} as proposal,
    array(select distinct o.operation collate "default" from ledger.operation_policies o
      where o.connector_id = k.connector_id and o.retired_at is null and o.tenant_id = any($2::text[]) order by 1) as operations
  from (
    select connector_id, tenant_id, version, retired_at is not null as retired, recipe, allow_private from review.connectors
      where connector_id = $1
    union all
    select connector_id, tenant_id, 0, false, recipe, false from review.connector_proposals
      where connector_id = $1 and base_version = 0 and state = 'PENDING' and expires_at > ledger.clock()) k
  left join review.tenants t on t.tenant_id = k.tenant_id
  left join review.connector_proposals p on p.connector_id = k.connector_id and p.state = 'PENDING' and p.expires_at > ledger.clock()
  left join review.people a on a.person_id = p.requested_by
  where ${seesTenant('k.tenant_id', '$2::text[]')}`;

const VERSIONS = `
  select v.version, v.retired, v.recipe, ledger.instant(v.created_at) as at, p.reason,
    jsonb_build_object('personId', b.person_id, 'displayName', coalesce(b.display_name, v.created_by)) as by,
    case when a.person_id is not null then jsonb_build_object('personId', a.person_id, 'displayName', a.display_name) end as "proposedBy"
  from review.connector_versions v
  left join review.connector_proposals p on p.proposal_id = v.proposal_id
  left join review.people a on a.person_id = p.requested_by
  left join review.people b on b.person_id::text = v.created_by
  where v.connector_id = $1 order by v.version desc limit ${VERSIONS_SHOWN}`;

/** One connector with its history; null where the administrator has no such one. */
export async function getConnector(ctx: ReadContext, connectorId: string): Promise<ConnectorView | null> {
  if (!hasRoleFor(ctx.actor, 'connector.manage')) return null;
  const { rows } = await ctx.db.query<Read & Record<string, unknown>>(CONNECTOR, [
    connectorId,
    ctx.actor.tenantIds,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const { rows: versions } = await ctx.db.query<ConnectorVersionView & Record<string, unknown>>(VERSIONS, [
    connectorId,
  ]);
  const { carries, proposal, ...view } = row;
  const forAll = carries ? null : 'CONNECTOR_FOR_ALL';
  const mine = proposal?.requestedBy.personId === ctx.actor.personId;
  return {
    ...view,
    versions,
    changeRefusal: forAll ?? (proposal === null ? null : 'PROPOSAL_IN_FLIGHT'),
    // Mirrors review.decide_connector, which judges again.
    proposal: proposal && { ...proposal, confirmRefusal: forAll ?? (mine ? 'SELF_APPROVAL' : null) },
  };
}
