'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { pageAct } from '@/lib/review/page-act';
import { keepView, removeView } from '@/lib/review/views/keep-view';
import { chooseQueueColumns } from '@/lib/review/views/queue-columns';
import { readSavedAddress } from './read-saved-address';

export async function keepViewAction(input: unknown): Promise<CommandAnswer> {
  return pageAct((ctx, given) => keepView(ctx, given, readSavedAddress), input);
}
export async function removeViewAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(removeView, input);
}
export async function chooseQueueColumnsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(chooseQueueColumns, input);
}
