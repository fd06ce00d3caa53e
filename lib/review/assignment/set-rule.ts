import 'server-only';
import { z } from 'zod';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { operationId, outsideId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { runCommand } from '../run-command';

const subject = {
  tenantId: outsideId,
  operation: outsideId.min(1).max(128).nullable(),
  authority: z
    .string()
    .regex(/^[a-z-]{1,40}$/)
    .nullable(),
  operationId,
};

const command = {
  input: z
    .union([
      z.strictObject({ ...subject, mode: z.literal('FIXED'), assigneeId: z.uuid() }),
      z.strictObject({ ...subject, mode: z.enum(['ROUND_ROBIN']).nullable(), assigneeId: z.null() }),
    ])
    .refine(({ operation, authority }) => operation === null || authority === null),
  event: 'assignment.rule_changed',
  statement: 'select review.set_assignment_rule($1::jsonb) as answer',
} as const;

/** R-049 By which rule new exceptions get an owner; mode null ends the rule. An administrator's alone: it gives no right. */
export async function setAssignmentRule(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  return runCommand(ctx, command, raw);
}
