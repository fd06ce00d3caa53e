import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { actAs, transaction } from '@/lib/db/transaction';
import type { ProviderClaims } from '@/lib/domain/provider-claims';
import type { ProviderVisit } from './provider-visit';
import { actorOfSecret, IDLE_SECONDS } from './session';
import { beginSession, loginContext, type SignInOrigin } from './sign-in';

/** Why the provider's word opened nothing; the login page tells each. */
const REFUSALS = {
  EMAIL_UNVERIFIED: 'EmailUnverified',
  NOT_INVITED: 'NotInvited',
  PERSON_DISABLED: 'PersonDisabled',
  OTHER_PERSON: 'OtherPerson',
  IDENTITY_TAKEN: 'IdentityTaken',
  LINK_FIRST: 'LinkFirst',
  SHOW_AGAIN: 'ShowAgain',
} as const;

type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

export type ProviderSignIn = { kind: 'signed-in'; secret: string } | { kind: 'refused'; problem: Refusal };

type Found =
  | { outcome: 'done'; personId: string; identityId: string }
  | { outcome: 'refused'; code: keyof typeof REFUSALS };

/** What a checked token says, and how the person was sent to the provider that gave it. */
export type ProviderWord = ProviderClaims & { visit: ProviderVisit };

/**
 * Signs in whom the provider named. Who that is, whether the subject may be linked, whether what was shown is new enough, and what
 * its roles change is settled by one SQL function as the login's own act; the session is the person's. Both come about or neither.
 */
export async function signInByProvider(
  pool: Pool,
  issuer: string,
  word: ProviderWord,
  origin: SignInOrigin,
): Promise<ProviderSignIn> {
  const present = await actorOfSecret(pool, origin.previousSecret);
  const input = { ...word, issuer, sessionId: present?.sessionId ?? null, idleSeconds: IDLE_SECONDS };
  return transaction(pool, loginContext(origin), async (tx) => {
    const { rows } = await tx.query<{ answer: Found }>(
      'select review.sign_in_by_provider($1::jsonb) as answer',
      [JSON.stringify(input)],
    );
    const found = rows[0]?.answer;
    if (found === undefined) throw new Error('bug: sign_in_by_provider returned no row');
    if (found.outcome === 'refused') return { kind: 'refused', problem: REFUSALS[found.code] };
    const { personId, identityId } = found;
    await actAs(tx, personId);
    const way = { method: 'provider', identityId, authTime: word.authTime } as const;
    const secret = await beginSession(tx, origin, way);
    if (secret === null) throw new Error('bug: who was found under the lock of their row cannot come in');
    return { kind: 'signed-in', secret };
  });
}

/** Keeps that somebody came back from the provider with an answer that does not hold. */
export async function recordProviderFailure(pool: Pool, issuer: string, origin: SignInOrigin): Promise<void> {
  await transaction(pool, loginContext(origin), (tx) =>
    appendAudit(tx, {
      event: 'session.sign_in_failed',
      outcome: 'refused',
      refusalCode: 'PROVIDER_REFUSED',
      body: { method: 'provider', issuer },
    }),
  );
}
