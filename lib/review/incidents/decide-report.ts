import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { parseCommand, carryOut } from '../run-command';

const input = z.strictObject({
  reportId: z.uuid(),
  verdict: z.enum(['CONFIRM', 'REJECT']),
  reason: storableText,
  operationId,
});

const STATEMENT = 'select review.decide_report($1::jsonb) as answer';

/** R-056 The second person's word on the whole report, or the first one's second thoughts. */
export async function decideReport(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, { input, event: 'incident.report_ended' }, raw);
  if (!parsed.ok) return parsed.answer;
  const event = parsed.input.verdict === 'CONFIRM' ? 'incident.report_confirmed' : 'incident.report_ended';
  return carryOut(ctx, { event, statement: STATEMENT }, parsed.input);
}
