'use server';

import type { CommandAnswer } from '@/lib/domain/command-answer';
import { chooseNotifications } from '@/lib/review/notifications/choose-notifications';
import { pageAct } from '@/lib/review/page-act';

export async function chooseNotificationsAction(input: unknown): Promise<CommandAnswer> {
  return pageAct(chooseNotifications, input);
}
