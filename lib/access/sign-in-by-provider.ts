import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import type { ProviderClaims } from '@/lib/domain/provider-claims';
import { actorOfSecret } from './session';
import { beginSession, loginContext, personContext, type SignInOrigin } from './sign-in';

/** Why the provider's word opened nothing; the login page tells each. */
const REFUSALS = {
  EMAIL_UNVERIFIED: 'EmailUnverified',
  NOT_INVITED: 'NotInvited',
  PERSON_DISABLED: 'PersonDisabled',
  OTHER_PERSON: 'OtherPerson',
  IDENTITY_TAKEN: 'IdentityTaken',
  LINK_FIRST: 'LinkFirst',
} as const;

type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

export type ProviderSignIn =
  { kind: 'signed-in'; secret: string } | { kind: 'refused'; problem: Refusal | 'ProviderFailed' };

type Found =
  | { outcome: 'done'; personId: string; identityId: string }
  | { outcome: 'refused'; code: keyof typeof REFUSALS };

/**
 * Signs in whom the provider named. Who that is, whether the subject may be linked, and what its roles change is settled by
 * one SQL function as the login's own act; the session is the person's.
 */
export async function signInByProvider(
  pool: Pool,
  issuer: string,
  claims: ProviderClaims,
  origin: SignInOrigin,
): Promise<ProviderSignIn> {
  const present = await actorOfSecret(pool, origin.previousSecret);
  const { subject, email, roles, authTime } = claims;
  const input = { issuer, subject, email, roles, sessionId: present?.sessionId ?? null };
  const found = await transaction(pool, loginContext(origin), async (tx) => {
    const { rows } = await tx.query<{ answer: Found }>(
      'select review.sign_in_by_provider($1::jsonb) as answer',
      [JSON.stringify(input)],
    );
    return rows[0]?.answer;
  });
  if (found === undefined) throw new Error('bug: sign_in_by_provider returned no row');
  if (found.outcome === 'refused') return { kind: 'refused', problem: REFUSALS[found.code] };
  const { personId, identityId } = found;
  const secret = await transaction(pool, personContext(personId, origin), (tx) =>
    beginSession(tx, origin, { method: 'provider', identityId, authTime }),
  );
  if (secret !== null) return { kind: 'signed-in', secret };
  // Disabled or reset since the provider's word was taken; the way back from there keeps it.
  return { kind: 'refused', problem: 'ProviderFailed' };
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
