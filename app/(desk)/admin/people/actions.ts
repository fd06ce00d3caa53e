'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { changeRights } from '@/lib/review/people/change-rights';
import { decideGrant } from '@/lib/review/people/decide-grant';
import { endSessions } from '@/lib/review/people/end-sessions';
import { invitePerson } from '@/lib/review/people/invite-person';
import { resetPerson } from '@/lib/review/people/reset-person';
import { setDisabled } from '@/lib/review/people/set-disabled';

export async function invitePersonAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(invitePerson, input);
}
export async function changeRightsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(changeRights, input);
}
export async function decideGrantAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(decideGrant, input);
}
export async function setDisabledAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(setDisabled, input);
}
export async function resetPersonAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(resetPerson, input);
}
export async function endSessionsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(endSessions, input);
}
export async function settlePeopleAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
