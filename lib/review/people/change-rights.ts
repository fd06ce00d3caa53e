import 'server-only';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';
import { personInput, rightsInput } from './people-input';

const command = {
  input: personInput.extend(rightsInput),
  event: 'people.rights_changed',
  statement: 'select review.change_rights($1::jsonb) as answer',
} as const;

/** Roles, authorities and tenants. What lets somebody decide or manage waits for a second administrator. */
export async function changeRights(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
