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
    tenantId: z.string().max(63),
    principalId: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    /** Null: every operation of the tenant. */
    operations: z
      .array(z.string().regex(/^[\x21-\x7e]{1,128}$/))
      .min(1)
      .max(100)
      .nullable(),
    expiresInDays,
    operationId,
  }),
  event: 'token.created',
  statement: 'select review.create_token($1::jsonb) as answer',
} as const;

/** A bearer token of the producer API, for a principal that is made when the tenant has none of that name. */
export async function createToken(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { token, prefix, digest } = makeProducerToken();
  const complete = { ...parsed.input, prefix, digest: digest.toString('hex') };
  return showOnce(await carryOut(ctx, command, complete), token);
}
