import type { Queryable } from '@/lib/db/pool';
import type { Asking } from '@/lib/lookup/ask-connector';

/** The base address for which the deployment's own entry lets a connector ask this machine; null: it does not. */
export async function privateAddressOf(db: Queryable, connectorId: string | null): Promise<string | null> {
  const { rows } = await db.query<{ address: string }>(
    `select recipe->>'baseUrl' as address from review.connectors where connector_id = $1 and allow_private`,
    [connectorId],
  );
  return rows[0]?.address ?? null;
}

/** Whether a service on this machine may be asked: at that very address, or at a port that the deployment's environment names. */
export const allowsLoopback =
  (privateAddress: string | null, { loopbackPorts }: Asking) =>
  (baseUrl: string): boolean =>
    baseUrl === privateAddress || (URL.canParse(baseUrl) && loopbackPorts.has(new URL(baseUrl).port));
