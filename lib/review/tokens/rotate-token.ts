import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { makeProducerToken } from '@/lib/ledger/producer-token';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { showOnce } from '../people/show-once';
import { carryOut, parseCommand } from '../run-command';
import { expiresInDays } from './token-input';

const command = {
  input: z.strictObject({
    tokenId: z.uuid(),
    /** Hours in which both are valid. */
    overlapHours: z.int().min(0).max(720),
    expiresInDays,
    operationId,
  }),
  event: 'token.rotated',
  statement: 'select review.rotate_token($1::jsonb) as answer',
} as const;

/** A new token in place of one, with the same principal and operations; the old one ends after the overlap. */
export async function rotateToken(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { token, prefix, digest } = makeProducerToken();
  const complete = { ...parsed.input, prefix, digest: digest.toString('hex') };
  return showOnce(await carryOut(ctx, command, complete), token);
}
