import { z } from 'zod';
import type { Pool } from '@/lib/db/pool';
import type { NextTurn } from './ask-http';
import type { ConfiguredConnector } from './lookup-subject';

/** What of a recipe holds before it is known to parse. */
export interface ConnectorLimits {
  attempts: number;
  backoffSeconds: number;
  ratePerSecond: number;
}

const limitsSchema = z.object({
  attempts: z.number().default(8),
  backoffSeconds: z.number().default(5),
  ratePerSecond: z.number().min(0.01).max(100).default(5),
});

/** A recipe that does not parse is asked once, so that the exception shows why there is no evidence. */
export function limitsOf(recipe: unknown): ConnectorLimits {
  const parsed = limitsSchema.safeParse(recipe);
  return parsed.success ? parsed.data : { attempts: 1, backoffSeconds: 5, ratePerSecond: 5 };
}

/** Milliseconds until the connector may be asked; null when that is further away than `longestMs`. */
export async function takeSlot(
  pool: Pool,
  connectorId: string,
  ratePerSecond: number,
  longestMs: number,
): Promise<number | null> {
  const { rows } = await pool.query<{ wait: number | null }>(
    'SELECT review.take_lookup_slot($1, $2::numeric, $3) AS wait',
    [connectorId, ratePerSecond, longestMs],
  );
  return rows[0]?.wait ?? null;
}

/**
 * Turns for the further pages of a list: each is a question of its own for the rate.
 * @param patienceMs for all of them together
 */
export function turnOf(
  pool: Pool,
  { connectorId, recipe }: ConfiguredConnector,
  patienceMs: number,
): NextTurn {
  const { ratePerSecond } = limitsOf(recipe);
  let leftMs = patienceMs;
  return async () => {
    const waitMs = await takeSlot(pool, connectorId, ratePerSecond, leftMs);
    leftMs = Math.max(0, leftMs - (waitMs ?? 0));
    return waitMs;
  };
}
