import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from './command-input';
import type { LookingContext } from './desk-context';
import { lookUpNow } from './look-up-now';
import { carryOut, parseCommand, type Command } from './run-command';

const input = z.strictObject({
  requestId: z.uuid(),
  operationId,
  /** Of what the person was shown. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  verdict: z.enum(['APPROVE', 'REJECT']),
  rationale: storableText,
  /** The newest look that the page showed. */
  shownEvidenceId: z.uuid().nullable().default(null),
  /** The evidence is too old for a second person: look once more first. */
  lookAgain: z.boolean(),
});

const command: Command<z.infer<typeof input>> = {
  input,
  // Of what kind the request is, nobody has looked yet.
  event: 'access.denied',
  statement: 'select review.decide_request($1::jsonb) as answer',
};

const EXCEPTION = `select exception_id from review.approval_requests where request_id = $1::uuid and tenant_id = any($2::text[])`;

/** R-070 One verdict of one person on what they were shown: the digest says what that was. */
export async function decideRequest(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const { requestId, verdict, lookAgain } = parsed.input;
  if (lookAgain && verdict === 'APPROVE') {
    const { rows } = await ctx.pool.query<{ exception_id: string }>(EXCEPTION, [
      requestId,
      ctx.actor.tenantIds,
    ]);
    // What it shows is judged with the verdict: the newest look carries it or stands against it.
    if (rows[0] !== undefined) await lookUpNow(ctx, { exceptionId: rows[0].exception_id });
  }
  return carryOut(ctx, command, parsed.input);
}
