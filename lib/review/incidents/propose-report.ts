import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand, type Command } from '../run-command';

const input = z.strictObject({ reportId: z.uuid(), operationId });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'incident.report_proposed',
  statement: 'select review.propose_report($1::jsonb) as answer',
};

/** R-056 Whoever judged the report sends it on; the database draws the sample that somebody else checks by hand. */
export function proposeReport(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
