// Acts of people who sign in through a provider that leave an audit event.
import { randomUUID } from 'node:crypto';
import { recordProviderFailure, signInByProvider } from '@/lib/access/sign-in-by-provider';
import type { Role } from '@/lib/domain/actor';
import type { LookingContext } from '@/lib/review/desk-context';
import { invitePerson } from '@/lib/review/people/invite-person';
import { cameAbout, ORIGIN, type Prepare } from './audited-act';
import type { DeskFixture } from './desk-fixture';
import { REASON } from './people-forms';

const ISSUER = 'https://login.example';

export function providerActs({ db }: DeskFixture, admin: LookingContext): Record<string, Prepare> {
  const pool = db.pool('app');
  const invited = async () => {
    const email = `p-${randomUUID()}@demo.local`;
    const person = { email, displayName: 'New colleague', roles: ['OPERATOR'], authorities: [] };
    await cameAbout(
      invitePerson(admin, {
        ...person,
        tenantIds: ['tenant-north'],
        reason: REASON,
        operationId: randomUUID(),
      }),
    );
    return (roles: Role[]) =>
      signInByProvider(pool, ISSUER, { subject: email, email, authTime: null, roles }, ORIGIN).then(
        ({ kind }) => {
          if (kind !== 'signed-in') throw new Error(kind);
        },
      );
  };
  return {
    'sign-in-by-provider': async () => {
      const signIn = await invited();
      return () => signIn([]);
    },
    'sign-in-by-provider, other roles': async () => {
      const signIn = await invited();
      await signIn([]);
      return () => signIn(['MANAGER']);
    },
    'sign-in-by-provider, an answer that does not hold': async () => () =>
      recordProviderFailure(pool, ISSUER, ORIGIN),
  };
}
