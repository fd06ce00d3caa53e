import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand, type Command } from '../run-command';

const input = z.strictObject({ incidentId: z.uuid(), operationId });

const command: Command<z.infer<typeof input>> = {
  input,
  event: 'incident.lookups_queued',
  statement: 'select review.look_up_incident($1::jsonb) as answer',
};

/** R-056 Plans a lookup of every open member, an answer for each; the connector's rate decides how fast they go out. */
export function lookUpIncident(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
