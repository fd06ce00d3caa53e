import 'server-only';
import { z } from 'zod';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { prismaOver } from '@/lib/db/prisma';
import { transaction, type Transaction, type TransactionContext } from '@/lib/db/transaction';
import { canonicalEmail } from '@/lib/domain/email-identity';
import { PASSWORD_MAX_BYTES } from '@/lib/domain/password-rules';
import { safeParse } from '@/lib/domain/safe-parse';
import { accountDigest, admitSignIn, endAttempt } from './admit-sign-in';
import { fitsPassword, hashPassword, needsRehash } from './password';
import { openSession, revokeSession, type WayIn } from './session';

/** Where a sign-in comes from. */
export interface SignInOrigin {
  requestId: string;
  /** Null when the peer is unknown. */
  sourceAddress: string | null;
  userAgent: string | null;
  /** The secret of a session that the same browser still carries; it ends, so that no planted one survives. */
  previousSecret: string | null;
}

export type SignInAnswer =
  | { kind: 'signed-in'; personId: string; secret: string }
  | { kind: 'refused' }
  | { kind: 'throttled'; retryAfterSeconds: number };

// Strings and nothing else: an object here is how an operator would reach a query.
const credentials = z.object({ email: z.string().min(1), password: z.string().min(1) });

interface Account {
  personId: string;
  passwordHash: string | null;
  disabled: boolean;
}

/** Signs in by e-mail and password. Every attempt, throttled ones included, is an audit event. */
export async function signIn(pool: Pool, typed: unknown, origin: SignInOrigin): Promise<SignInAnswer> {
  const parsed = safeParse(credentials, typed);
  const email = parsed.success ? parsed.data.email : '';
  const canonical = canonicalEmail(email);
  const account = accountDigest(canonical ?? email.slice(0, PASSWORD_MAX_BYTES));
  const admission = await transaction(pool, loginContext(origin), async (tx) => {
    const answer = await admitSignIn(tx, account, origin.sourceAddress ?? 'unknown');
    if (answer.kind === 'wait') {
      await appendAudit(tx, {
        event: 'session.sign_in_failed',
        outcome: 'refused',
        refusalCode: 'THROTTLED',
        body: { account: account.toString('hex').slice(0, 16), retryAfterSeconds: answer.seconds },
      });
    }
    return answer;
  });
  if (admission.kind === 'wait') return { kind: 'throttled', retryAfterSeconds: admission.seconds };

  const known = canonical === null ? null : await findAccount(pool, canonical);
  const password = parsed.success ? parsed.data.password : '';
  // Over-long input is bounded before hashing; the dummy keeps the time of the answer.
  const sane = Buffer.byteLength(password, 'utf8') <= PASSWORD_MAX_BYTES && parsed.success;
  const fits = await fitsPassword(sane && known ? known.passwordHash : null, sane ? password : 'x');
  const refuse = () => refusePassword(pool, origin, admission.attemptId, { account, known });
  if (!fits || !known || known.disabled) return refuse();
  const newHash = known.passwordHash && needsRehash(known.passwordHash) ? await hashPassword(password) : null;
  const secret = await transaction(pool, personContext(known.personId, origin), async (tx) => {
    const way = { method: 'password', passwordHash: known.passwordHash, newHash } as const;
    const opened = await beginSession(tx, origin, way);
    if (opened !== null) await endAttempt(tx, admission.attemptId, 'SUCCEEDED');
    return opened;
  });
  // Reset, disabled or given another password while this one was being checked: it is as wrong as any other.
  return secret === null ? refuse() : signedIn(known.personId, secret);
}

async function refusePassword(
  pool: Pool,
  origin: SignInOrigin,
  attemptId: string,
  about: { account: Buffer; known: Account | null },
): Promise<SignInAnswer> {
  const { account, known } = about;
  await transaction(pool, loginContext(origin), async (tx) => {
    await endAttempt(tx, attemptId, 'FAILED');
    await appendAudit(tx, {
      event: 'session.sign_in_failed',
      outcome: 'refused',
      refusalCode: 'BAD_CREDENTIALS',
      body: {
        account: account.toString('hex').slice(0, 16),
        ...(known ? { personId: known.personId } : {}),
      },
    });
  });
  return { kind: 'refused' };
}

/**
 * The shared end of every way to sign in: a new session opens, with its event, and the old one of the browser ends; null when
 * what was checked counts no more. The new one first: it takes the person's row, as everybody does who ends sessions.
 */
export async function beginSession(
  tx: Transaction,
  origin: SignInOrigin,
  way: WayIn,
): Promise<string | null> {
  const secret = await openSession(tx, origin, way);
  if (secret !== null) await revokeSession(tx, origin.previousSecret);
  return secret;
}

export const signedIn = (personId: string, secret: string): SignInAnswer => ({
  kind: 'signed-in',
  personId,
  secret,
});

/** Nobody is known yet: the sign-in itself is the system's act. */
export function loginContext(origin: SignInOrigin): TransactionContext {
  return {
    actor: { kind: 'system', id: 'system:login' },
    requestId: origin.requestId,
    sourceAddress: origin.sourceAddress,
  };
}

export function personContext(personId: string, origin: SignInOrigin): TransactionContext {
  return {
    actor: { kind: 'person', id: personId },
    requestId: origin.requestId,
    sourceAddress: origin.sourceAddress,
  };
}

async function findAccount(pool: Pool, canonical: string): Promise<Account | null> {
  const person = await prismaOver(pool).person.findUnique({
    where: { emailCanonical: canonical },
    select: { personId: true, passwordHash: true, disabledAt: true },
  });
  return person && { ...person, disabled: person.disabledAt !== null };
}
