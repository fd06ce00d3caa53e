// Every command about people, tokens and approval policies with an input that is good: for what holds for all of them.
import { randomUUID } from 'node:crypto';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { LookingContext } from '@/lib/review/desk-context';
import { setAssignmentRule } from '@/lib/review/assignment/set-rule';
import { changeRights } from '@/lib/review/people/change-rights';
import { decideGrant } from '@/lib/review/people/decide-grant';
import { endSessions } from '@/lib/review/people/end-sessions';
import { invitePerson } from '@/lib/review/people/invite-person';
import { resetPerson } from '@/lib/review/people/reset-person';
import { setDisabled } from '@/lib/review/people/set-disabled';
import { decidePolicy } from '@/lib/review/policies/decide-policy';
import { proposePolicy } from '@/lib/review/policies/propose-policy';
import { createToken } from '@/lib/review/tokens/create-token';
import { revokeToken } from '@/lib/review/tokens/revoke-token';
import { rotateToken } from '@/lib/review/tokens/rotate-token';
import { cameAbout } from './audited-act';
import type { DeskFixture } from './desk-fixture';
import type { Json } from './ledger-fixture';
import { makePerson, sessionOf } from './people';
import { grantForm, personForm, REASON, rightsForm } from './people-forms';
import { policyForm, waitingProposal } from './policy-forms';

export interface PreparedAct {
  command: (ctx: LookingContext, input: unknown) => Promise<CommandAnswer>;
  input: Json & { operationId: string };
  /** Who may. */
  by: LookingContext;
}

/** By file name. `admin` asks, `second` gives the second word. */
export function administratorsActs(
  { db }: DeskFixture,
  admin: LookingContext,
  second: LookingContext,
): Record<string, () => Promise<PreparedAct>> {
  const colleague = () =>
    makePerson(db, { email: `c-${randomUUID()}@demo.local`, tenantIds: ['tenant-north'] });
  const operationId = () => randomUUID();

  const tokenForm = () => ({
    tenantId: 'tenant-north',
    principalId: `robot-${randomUUID()}`,
    operations: null,
    expiresInDays: null,
    operationId: operationId(),
  });
  async function token() {
    const form = tokenForm();
    await cameAbout(createToken(admin, form));
    const { rows } = await db
      .pool('owner')
      .query<{ token_id: string }>('select token_id from ledger.producer_tokens where principal_id = $1', [
        form.principalId,
      ]);
    return { tokenId: rows[0]!.token_id, operationId: operationId() };
  }

  async function proposal() {
    const asked = await policyForm(db, { minRationale: 20 }, `op-${randomUUID()}`);
    await cameAbout(proposePolicy(admin, asked));
    return {
      proposalId: await waitingProposal(db, asked.operation),
      reason: REASON,
      operationId: operationId(),
    };
  }

  async function grant(verdict: 'CONFIRM' | 'REJECT') {
    const personId = await colleague();
    await changeRights(admin, await rightsForm(db, personId, { roles: ['OPERATOR', 'APPROVER'] }));
    return grantForm(db, personId, verdict);
  }

  const of =
    (command: PreparedAct['command'], input: () => Promise<PreparedAct['input']>, by = admin) =>
    async (): Promise<PreparedAct> => ({ command, input: await input(), by });

  return {
    'invite-person': of(invitePerson, async () => ({
      email: `new-${randomUUID()}@demo.local`,
      displayName: 'New colleague',
      roles: ['OPERATOR'],
      authorities: [],
      tenantIds: ['tenant-north'],
      reason: REASON,
      operationId: operationId(),
    })),
    'change-rights': of(changeRights, async () => rightsForm(db, await colleague(), { roles: ['MANAGER'] })),
    'change-rights, to be confirmed': of(changeRights, async () =>
      rightsForm(db, await colleague(), { roles: ['OPERATOR', 'APPROVER'] }),
    ),
    'decide-grant': of(decideGrant, () => grant('CONFIRM'), second),
    'decide-grant, refuse': of(decideGrant, () => grant('REJECT'), second),
    'set-disabled': of(setDisabled, async () => ({
      ...(await personForm(db, await colleague())),
      disabled: true,
    })),
    'set-rule': of(setAssignmentRule, async () => ({
      ...{ tenantId: 'tenant-north', operation: `op-${randomUUID()}`, authority: null },
      ...{ mode: 'ROUND_ROBIN', assigneeId: null, operationId: operationId() },
    })),
    'reset-person': of(resetPerson, async () => personForm(db, await colleague())),
    'end-sessions': of(endSessions, async () => {
      const personId = await colleague();
      return {
        personId,
        sessionId: await sessionOf(db, personId),
        operationId: operationId(),
      };
    }),
    'create-token': of(createToken, async () => tokenForm()),
    'rotate-token': of(rotateToken, async () => ({
      ...(await token()),
      overlapHours: 1,
      expiresInDays: null,
    })),
    'revoke-token': of(revokeToken, token),
    'propose-policy': of(proposePolicy, () => policyForm(db, { minRationale: 20 }, `op-${randomUUID()}`)),
    'decide-policy': of(decidePolicy, async () => ({ ...(await proposal()), verdict: 'CONFIRM' }), second),
    'decide-policy, refuse': of(
      decidePolicy,
      async () => ({ ...(await proposal()), verdict: 'REJECT' }),
      second,
    ),
  };
}
