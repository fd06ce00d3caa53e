import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { pool as sharedPool, type Pool } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import type { Actor } from '@/lib/domain/actor';
import { refusePassword, type PasswordRefusal } from '@/lib/domain/password-rules';
import { commonPasswords } from './common-passwords';
import { fitsPassword, hashPassword } from './password';

export type ChangePasswordAnswer =
  { kind: 'changed' } | { kind: 'refused'; code: 'WRONG_PASSWORD' | 'PROVIDER_SIGNS_IN' | PasswordRefusal };

const OPEN_IDENTITY = { where: { endedAt: null }, select: { issuer: true } } as const;

/**
 * Sets the acting person's own password and ends their other sessions. Whoever has one must show it; whoever came by a
 * one-time link and has none yet need not.
 */
export async function changePassword(
  acting: { actor: Actor; context: TransactionContext },
  present: string,
  next: string,
  pool: Pool = sharedPool('pages'),
): Promise<ChangePasswordAnswer> {
  const { actor, context } = acting;
  const person = await prismaOver(pool).person.findUnique({
    where: { personId: actor.personId },
    select: { passwordHash: true, emailCanonical: true, identities: OPEN_IDENTITY },
  });
  if (!person) throw new Error('bug: the acting person has no row');
  if (person.identities.length > 0) return refuse(pool, acting, 'PROVIDER_SIGNS_IN');
  if (person.passwordHash !== null && !(await fitsPassword(person.passwordHash, present))) {
    return refuse(pool, acting, 'WRONG_PASSWORD');
  }
  const code = refusePassword(next, person.emailCanonical, await commonPasswords());
  if (code) return refuse(pool, acting, code);
  const passwordHash = await hashPassword(next);
  // False: changed, reset or disabled in between, or this session ended; what was shown is no longer the password.
  const changed = await transaction(pool, context, async (tx) => {
    const input = { sessionId: actor.sessionId, presentHash: person.passwordHash, nextHash: passwordHash };
    const { rows } = await tx.query<{ changed: boolean }>(
      'select review.set_own_password($1::jsonb) as changed',
      [JSON.stringify(input)],
    );
    return rows[0]?.changed === true;
  });
  return changed ? { kind: 'changed' } : refuse(pool, acting, 'WRONG_PASSWORD');
}

type RefusalCode = Extract<ChangePasswordAnswer, { kind: 'refused' }>['code'];

async function refuse(
  pool: Pool,
  acting: { actor: Actor; context: TransactionContext },
  code: RefusalCode,
): Promise<ChangePasswordAnswer> {
  await transaction(pool, acting.context, (tx) =>
    appendAudit(tx, {
      event: 'people.password_changed',
      outcome: 'refused',
      refusalCode: code,
      body: { personId: acting.actor.personId },
    }),
  );
  return { kind: 'refused', code };
}
