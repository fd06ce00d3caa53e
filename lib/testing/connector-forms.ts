// Connectors as administrators' forms send them, and as an installation writes them.
import { randomUUID } from 'node:crypto';
import type { TestDatabase } from './database';
import { asActor, type Json } from './ledger-fixture';
import { REASON } from './people-forms';

/** A whole recipe of a system that answers one record by its key. */
export const RECIPE = {
  system: 'crm',
  baseUrl: 'https://crm.example.com/api',
  path: 'records/{key}',
  fields: { id: '/id' },
  content: [{ expected: '{key}', pointer: '/reference' }],
  notFound: { status404: true, emptyList: false },
  visibilityDelaySeconds: 0,
  queryableSeconds: null,
};

/** In force, as the deployment's owner writes it. */
export async function installConnector(
  db: TestDatabase,
  connector: { connectorId: string; tenantId?: string | null; recipe: unknown; allowPrivate?: boolean },
): Promise<void> {
  const { connectorId, tenantId = null, recipe, allowPrivate = false } = connector;
  await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
    client.query(
      `insert into review.connectors (connector_id, tenant_id, recipe, allow_private) values ($1, $2, $3, $4)
       on conflict (connector_id) do update set tenant_id = excluded.tenant_id, recipe = excluded.recipe,
         allow_private = excluded.allow_private, retired_at = null`,
      [connectorId, tenantId, JSON.stringify(recipe), allowPrivate],
    ),
  );
}

interface ConnectorRow extends Json {
  version: number;
  tenant_id: string | null;
  allow_private: boolean;
  retired: boolean;
  recipe: Json;
  updated_by: string;
}

export async function connectorRow(db: TestDatabase, connectorId: string): Promise<ConnectorRow | undefined> {
  const { rows } = await db
    .pool('owner')
    .query<ConnectorRow>(
      `select version, tenant_id, allow_private, retired_at is not null as retired, recipe, updated_by from review.connectors where connector_id = $1`,
      [connectorId],
    );
  return rows[0];
}

/** A form on the connector as it is now. */
export async function connectorForm(db: TestDatabase, connectorId: string, change: Json = {}) {
  return {
    connectorId,
    tenantId: 'tenant-north',
    version: (await connectorRow(db, connectorId))?.version ?? 0,
    retires: false,
    recipe: RECIPE as unknown,
    reason: REASON,
    operationId: randomUUID(),
    ...change,
  };
}

export async function waitingConnector(db: TestDatabase, connectorId: string): Promise<string> {
  const { rows } = await db
    .pool('owner')
    .query<{ proposal_id: string }>(
      `select proposal_id from review.connector_proposals where connector_id = $1 and state = 'PENDING'`,
      [connectorId],
    );
  return rows[0]?.proposal_id ?? '';
}

/** The second word on what waits. */
export async function connectorVerdict(db: TestDatabase, connectorId: string, change: Json = {}) {
  return {
    proposalId: await waitingConnector(db, connectorId),
    verdict: 'CONFIRM',
    reason: REASON,
    operationId: randomUUID(),
    ...change,
  };
}

/** What is on record of somebody's tries. */
export async function triesOf(db: TestDatabase, personId: string): Promise<Json[]> {
  const { rows } = await db.pool('owner').query<Json>(
    `select outcome, refusal_code, execution_id, body::jsonb as body from review.audit_events
     where event = 'connector.tried' and actor_id = $1 order by number`,
    [personId],
  );
  return rows;
}
