import 'server-only';
import { decode } from 'next-auth/jwt';
import type { NextRequest } from 'next/server';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import { accountDigest, admitSignIn, endAttempt } from './admit-sign-in';
import type { AuthResponse } from './auth-response';
import { sessionKey } from './configuration';
import { PROVIDER_COOKIES } from './session-cookie';
import { digestOf } from './session-secret';
import { loginContext, type SignInOrigin } from './sign-in';

/** How somebody was sent to the provider. */
export interface ProviderVisit {
  /** Seconds since 1970. */
  begunAt: number;
  /** The provider was asked to have them show who they are, even if it knows them. */
  again: boolean;
}

/** Keeps that a browser goes to the provider, by the state in the address that next-auth made for it. */
export async function beginVisit(pool: Pool, answer: AuthResponse, again: boolean): Promise<void> {
  const state = answer.destination()?.searchParams.get('state');
  if (state == null) return;
  await pool.query('select review.begin_provider_visit($1, $2)', [digestOf(state), again]);
}

/** The state that this server gave to the browser; null: it gave none, so that nobody of ours is on the way back. */
export async function stateOf(request: NextRequest): Promise<string | null> {
  const token = request.cookies.get(PROVIDER_COOKIES.state)?.value;
  if (token === undefined) return null;
  try {
    const content = await decode({ token, secret: sessionKey(), salt: PROVIDER_COOKIES.state });
    const state = content?.['value'];
    return typeof state === 'string' ? state : null;
  } catch {
    return null;
  }
}

export type WayBack =
  | { kind: 'wait'; seconds: number }
  /** `visit` is null when this way has been used, or is too old. */
  | {
      kind: 'admitted';
      visit: ProviderVisit | null;
      end: (outcome: 'FAILED' | 'SUCCEEDED') => Promise<void>;
    };

/**
 * Takes the one way back that a state has, unless its address failed too often: then the way stays, for later. Failures count
 * with those of passwords, by address alone: whoever comes back has not yet said who they are.
 */
export async function admitWayBack(pool: Pool, state: string, origin: SignInOrigin): Promise<WayBack> {
  return transaction(pool, loginContext(origin), async (tx) => {
    const admission = await admitSignIn(tx, accountDigest(state), origin.sourceAddress ?? 'unknown');
    if (admission.kind === 'wait') return admission;
    const { rows } = await tx.query<{ visit: ProviderVisit | null }>(
      'select review.end_provider_visit($1) as visit',
      [digestOf(state)],
    );
    return {
      kind: 'admitted',
      visit: rows[0]?.visit ?? null,
      end: (outcome) =>
        transaction(pool, loginContext(origin), (own) => endAttempt(own, admission.attemptId, outcome)),
    };
  });
}
