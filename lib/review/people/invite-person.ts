import 'server-only';
import { z } from 'zod';
import { LINK_SECONDS, newLinkSecret } from '@/lib/access/sign-in-link';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { canonicalEmail } from '@/lib/domain/email-identity';
import { auditRefusal } from '../audit-refusal';
import { operationId, storableText } from '../command-input';
import type { DeskContext } from '../desk-context';
import { carryOut, parseCommand } from '../run-command';
import { rightsInput } from './people-input';
import { showOnce } from './show-once';

const input = z.strictObject({
  email: z.string().max(320),
  displayName: storableText,
  ...rightsInput,
  reason: storableText,
  operationId,
});

const command = {
  input,
  event: 'people.created',
  statement: 'select review.invite_person($1::jsonb) as answer',
} as const;

/** Adds a person of the administrator's own tenants, with a one-time link that only this answer carries. */
export async function invitePerson(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, command, raw);
  if (!parsed.ok) return parsed.answer;
  const email = parsed.input.email.trim();
  const emailCanonical = canonicalEmail(email);
  if (emailCanonical === null) {
    const about = { operationId: parsed.input.operationId };
    await auditRefusal(ctx, command.event, 'EMAIL_UNUSABLE', about, {});
    return { outcome: 'refused', code: 'EMAIL_UNUSABLE' };
  }
  const link = newLinkSecret();
  const complete = {
    ...parsed.input,
    email,
    emailCanonical,
    linkDigest: link.digest,
    linkSeconds: LINK_SECONDS,
  };
  return showOnce(await carryOut(ctx, command, complete), link.secret);
}
