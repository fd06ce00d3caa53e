import type { Transaction } from '@/lib/db/transaction';
import { connectorSchema, type Connector } from '@/lib/domain/connector';
import { outsideUrlFault, type AddressFault } from '@/lib/domain/outside-address';

export interface ConnectorDraft {
  connectorId: string;
  /** Null: for every tenant. */
  tenantId: string | null;
  recipe: unknown;
  /** The deployment's own entry for a service on this machine; only the owner's bootstrap may write it. */
  allowPrivate: boolean;
}

export type ConnectorSaved =
  | { outcome: 'done'; connector: Connector }
  | {
      outcome: 'refused';
      code: 'RECIPE_INVALID' | 'ADDRESS_REFUSED';
      issues: { path: string; message: string }[];
    };

/**
 * Checks and keeps a connector. The address is judged here by its text and again, resolved, at every lookup.
 * Inserts or replaces; the database counts the version. `loopbackPorts` are the deployment's (ALLOWED_LOOPBACK_PORTS).
 */
export async function saveConnector(
  tx: Transaction,
  draft: ConnectorDraft,
  loopbackPorts: ReadonlySet<string> = new Set(),
): Promise<ConnectorSaved> {
  const parsed = connectorSchema.safeParse(draft.recipe);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return { outcome: 'refused', code: 'RECIPE_INVALID', issues };
  }
  const fault = addressFault(parsed.data, draft.allowPrivate, loopbackPorts);
  if (fault !== null) {
    return { outcome: 'refused', code: 'ADDRESS_REFUSED', issues: [{ path: 'baseUrl', message: fault }] };
  }
  const kept = JSON.stringify(draft.recipe);
  // Two statements' worth of columns: the app's role may not name allow_private at all.
  if (draft.allowPrivate) {
    await tx.query(
      `INSERT INTO review.connectors (connector_id, tenant_id, recipe, allow_private) VALUES ($1, $2, $3::jsonb, true)
       ON CONFLICT (connector_id) DO UPDATE SET tenant_id = excluded.tenant_id, recipe = excluded.recipe, allow_private = true`,
      [draft.connectorId, draft.tenantId, kept],
    );
  } else {
    await tx.query(
      `INSERT INTO review.connectors (connector_id, tenant_id, recipe) VALUES ($1, $2, $3::jsonb)
       ON CONFLICT (connector_id) DO UPDATE SET tenant_id = excluded.tenant_id, recipe = excluded.recipe`,
      [draft.connectorId, draft.tenantId, kept],
    );
  }
  return { outcome: 'done', connector: parsed.data };
}

/** A database's address is a secret of the deployment, and judged when it is asked. */
function addressFault(
  connector: Connector,
  allowPrivate: boolean,
  loopbackPorts: ReadonlySet<string>,
): AddressFault | null {
  if (connector.kind !== 'http') return null;
  const allowLoopback = allowPrivate || loopbackPorts.has(new URL(connector.baseUrl).port);
  return outsideUrlFault(connector.baseUrl, { allowLoopback });
}
