import type { Queryable } from '@/lib/db/pool';
import { connectorSchema, placeOf, secretsOf, type Connector } from '@/lib/domain/connector';
import { safeParse } from '@/lib/domain/safe-parse';
import type { SecretSource } from '@/lib/lookup/secrets';

interface SecretStanding {
  /** This process has no `SECRET_<NAME>`. */
  missing: string[];
  /** Not to be sent to this address yet. */
  withheld: string[];
}

/**
 * Which secrets of a recipe cannot be used in a try (SS-06). One administrator alone names no address for a secret: it goes
 * where a connector in force sends it already (of every tenant, or of the same one), or where the deployment's
 * `TRY_SECRET_<NAME>` says.
 */
export async function secretStanding(
  db: Queryable,
  recipe: Connector,
  tenantId: string | null,
  source: SecretSource,
): Promise<SecretStanding> {
  const names = secretsOf(recipe);
  if (names.length === 0) return { missing: [], withheld: [] };
  const place = placeOf(recipe);
  const { rows } = await db.query<{ recipe: unknown }>(
    `select recipe from review.connectors where retired_at is null and (tenant_id is null or tenant_id = $1)`,
    [tenantId],
  );
  const confirmed = new Set(
    rows.flatMap((row) => {
      const read = safeParse(connectorSchema, row.recipe);
      return read.success && placeOf(read.data) === place ? secretsOf(read.data) : [];
    }),
  );
  return {
    missing: names.filter((name) => (source[`SECRET_${name}`] ?? '') === ''),
    withheld: names.filter((name) => !confirmed.has(name) && source[`TRY_SECRET_${name}`] !== place),
  };
}
