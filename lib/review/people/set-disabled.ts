import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';
import { personInput } from './people-input';

const command = {
  input: personInput.extend({ disabled: z.boolean() }),
  event: 'people.disabled',
  statement: 'select review.set_disabled($1::jsonb) as answer',
} as const;

/** Takes a person's access away, with every session, or gives it back. */
export async function setDisabled(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
