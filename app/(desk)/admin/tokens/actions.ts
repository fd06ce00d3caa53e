'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { pageAct, settlePageAct } from '@/lib/review/page-act';
import { createToken } from '@/lib/review/tokens/create-token';
import { revokeToken } from '@/lib/review/tokens/revoke-token';
import { rotateToken } from '@/lib/review/tokens/rotate-token';

export async function createTokenAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(createToken, input);
}
export async function rotateTokenAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(rotateToken, input);
}
export async function revokeTokenAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(revokeToken, input);
}
export async function settleTokenAction(operationId: string): Promise<CommandAnswer> {
  return settlePageAct(operationId);
}
