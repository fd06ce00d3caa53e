// Acts of people who sign in through a provider that leave an audit event.
import { randomUUID } from 'node:crypto';
import { recordProviderFailure, signInByProvider } from '@/lib/access/sign-in-by-provider';
import type { Role } from '@/lib/domain/actor';
import type { LookingContext } from '@/lib/review/desk-context';
import { invitePerson } from '@/lib/review/people/invite-person';
import { decideConnector } from '@/lib/review/connectors/decide-connector';
import { proposeConnector } from '@/lib/review/connectors/propose-connector';
import { tryConnector } from '@/lib/review/connectors/try-connector';
import { decidePolicy } from '@/lib/review/policies/decide-policy';
import { proposeOperationPolicy } from '@/lib/review/policies/propose-operation-policy';
import { cameAbout, ORIGIN, type Prepare } from './audited-act';
import { connectorForm, connectorVerdict, RECIPE } from './connector-forms';
import type { DeskFixture } from './desk-fixture';
import { operationPolicyForm } from './operation-policy-forms';
import { REASON } from './people-forms';
import { waitingProposal } from './policy-forms';

const VISIT = { begunAt: 0, again: false };
const ISSUER = 'https://login.example';

export function connectorActs(
  { db }: DeskFixture,
  admin: LookingContext,
  second: LookingContext,
): Record<string, Prepare> {
  const connector = () => connectorForm(db, `crm-${randomUUID()}`);
  return {
    'propose-connector': async () => {
      const input = await connector();
      return () => cameAbout(proposeConnector(admin, input));
    },
    'propose-connector, refused': async () => {
      const input = await connector();
      return () => proposeConnector(admin, { ...input, recipe: {} });
    },
    'decide-connector': async () => {
      const asked = await connector();
      await cameAbout(proposeConnector(admin, asked));
      const input = await connectorVerdict(db, asked.connectorId);
      return () => cameAbout(decideConnector(second, input));
    },
    'try-connector': async () => async () => {
      const subject = { kind: 'sample', values: { '{key}': 'K-1' }, proof: 'PRESENCE' };
      const draft = { connectorId: null, tenantId: 'tenant-north', recipe: RECIPE };
      const answer = await tryConnector(admin, { ...draft, subject, asks: false });
      if (answer.outcome !== 'shown') throw new Error(JSON.stringify(answer));
    },
  };
}

export function operationPolicyActs(
  { db }: DeskFixture,
  admin: LookingContext,
  second: LookingContext,
): Record<string, Prepare> {
  return {
    'propose-operation-policy': async () => {
      const input = await operationPolicyForm(db, `op-${randomUUID()}`, { slaSeconds: 60 });
      return () => cameAbout(proposeOperationPolicy(admin, input));
    },
    'decide-policy, of an operation': async () => {
      const asked = await operationPolicyForm(db, `op-${randomUUID()}`, { slaSeconds: 60 });
      await cameAbout(proposeOperationPolicy(admin, asked));
      const proposalId = await waitingProposal(db, asked.operation);
      const input = { proposalId, verdict: 'CONFIRM', reason: REASON, operationId: randomUUID() };
      return () => cameAbout(decidePolicy(second, input));
    },
  };
}

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
      signInByProvider(
        pool,
        ISSUER,
        { subject: email, email, authTime: null, roles, visit: VISIT },
        ORIGIN,
      ).then(({ kind }) => {
        if (kind !== 'signed-in') throw new Error(kind);
      });
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
