import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand, type Command } from '../run-command';

const address = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s\p{Cc}]+$/u);

const input = z.strictObject({
  reportId: z.uuid(),
  rowNumber: z.int().min(2),
  agrees: z.boolean(),
  place: storableText,
  address: address.nullable(),
  text: storableText.max(4_000).nullable(),
  operationId,
});

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'incident.sample_checked',
  statement: 'select review.check_sample_row($1::jsonb) as answer',
};

/** R-056 What a second person saw of a sampled row in the outside system itself; one that does not agree ends the proposal. */
export function checkSampleRow(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
