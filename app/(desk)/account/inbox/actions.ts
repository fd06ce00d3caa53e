'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { markRead } from '@/lib/review/notifications/mark-read';
import { pageAct } from '@/lib/review/page-act';

export async function markReadAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(markRead, input);
}
