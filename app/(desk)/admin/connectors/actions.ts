'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { TrialAnswer } from '@/lib/domain/connector-view';
import { decideConnector } from '@/lib/review/connectors/decide-connector';
import { proposeConnector } from '@/lib/review/connectors/propose-connector';
import { tryConnector } from '@/lib/review/connectors/try-connector';
import { pageAct, settlePageAct } from '@/lib/review/page-act';

export async function proposeConnectorAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(proposeConnector, input);
}
export async function decideConnectorAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(decideConnector, input);
}
export async function tryConnectorAction(input: unknown): Promise<TrialAnswer> {
  return pageAct(tryConnector, input);
}
export async function settleConnectorAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
