import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import { lookUpAgain } from '@/lib/lookup/look-up-again';
import { auditRefusal } from './audit-refusal';
import type { LookingContext } from './desk-context';
import { answering } from './run-command';

const input = z.strictObject({ exceptionId: z.uuid() });

/** R-062 A person asks the outside system now; the answer is kept as evidence under their name. */
export async function lookUpNow(ctx: LookingContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(input, raw);
  if (!parsed.success) {
    await auditRefusal(ctx, 'lookup.requested', 'INVALID_INPUT', {}, {});
    return { outcome: 'refused', code: 'INVALID_INPUT' };
  }
  return answering(ctx, 'lookup.requested', parsed.data, async () => {
    const looked = await lookUpAgain(ctx.pool, ctx.context, ctx.asking, parsed.data.exceptionId);
    return looked.outcome === 'done' ? { outcome: 'done', repeated: false } : looked;
  });
}
