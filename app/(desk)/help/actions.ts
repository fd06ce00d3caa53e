'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { keepTour } from '@/lib/review/keep-tour';
import { pageAct } from '@/lib/review/page-act';

export async function keepTourAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(keepTour, input);
}
