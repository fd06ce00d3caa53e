import 'server-only';
import { z } from 'zod';
import { OutcomeUnknownError } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { lookUpAgain } from '@/lib/lookup/look-up-again';
import { auditRefusal } from './audit-refusal';
import type { LookingContext } from './desk-context';

const input = z.strictObject({ exceptionId: z.uuid() });

/** R-062 A person asks the outside system now; the answer is kept as evidence under their name. */
export async function lookUpNow(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = input.safeParse(raw);
  if (!parsed.success) {
    await auditRefusal(ctx, 'lookup.requested', 'INVALID_INPUT', {}, {});
    return { outcome: 'refused', code: 'INVALID_INPUT' };
  }
  try {
    const looked = await lookUpAgain(ctx.pool, ctx.context, ctx.asking, parsed.data.exceptionId);
    return looked.outcome === 'done' ? { outcome: 'done', repeated: false } : looked;
  } catch (error) {
    // Whether the answer was kept shows on the page; looking again harms nobody.
    if (error instanceof OutcomeUnknownError) return { outcome: 'unknown' };
    throw error;
  }
}
