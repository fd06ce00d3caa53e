import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { auditRefusal } from '../audit-refusal';
import { operationId, storableText } from '../command-input';
import type { LookingContext } from '../desk-context';
import { carryOut, parseCommand } from '../run-command';
import { allowsLoopback, privateAddressOf } from './allows-loopback';
import { checkRecipe } from './recipe-refusal';

export const connectorId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
export const tenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);

const command = {
  input: z.strictObject({
    connectorId,
    /** Of a new one; null: for every tenant. One that exists keeps its own. */
    tenantId: tenantId.nullable(),
    /** The version that was seen; 0: a new one. */
    version: z.int().min(0).max(1_000_000),
    retires: z.boolean(),
    /** Judged on its own, so that each wrong member is named; not read where it retires. */
    recipe: z.unknown(),
    reason: storableText,
    operationId,
  }),
  event: 'connector.change_requested',
  screens: 'recipe',
  statement: 'select review.propose_connector($1::jsonb) as answer',
} as const;

/** R-063 A new connector, a change of one, or its end; it waits for a second administrator. */
export async function proposeConnector(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { recipe, ...input } = parsed.input;
  if (input.retires) return carryOut(ctx, command, { ...input, recipe: null });
  const address = await privateAddressOf(ctx.pool, input.connectorId);
  const checked = checkRecipe(recipe, allowsLoopback(address, ctx.asking));
  if (checked.ok) return carryOut(ctx, command, { ...input, recipe: checked.recipe });
  const { code, faults, secrets } = checked;
  await auditRefusal(ctx, command.event, code, input, { connectorId: input.connectorId, faults });
  return { outcome: 'refused', code, faults, ...(secrets && { secrets }) };
}
