import { CHAT_SECRET, isTimeZone, type NotificationSettings } from '@/lib/domain/notification-settings';
import { type NotificationReason } from '@/lib/domain/notifications';

/** What the form holds: texts as typed, and quiet hours that stay while they are switched off. */
export interface SettingsDraft {
  mail: readonly NotificationReason[];
  chat: readonly NotificationReason[];
  chatSecret: string;
  timeZone: string;
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  breaksQuiet: boolean;
  digest: NotificationSettings['digest'];
  dailyFrom: string;
}

export interface DraftProblems {
  chatSecret?: 'chatSecretError' | 'chatSecretMissing';
  timeZone?: 'timeZoneError';
  quietTo?: 'quietSame';
}

/** `540` as `09:00`. */
const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** `09:00` as `540`; a field that was emptied counts as midnight. */
function minuteOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute || 0;
}

export function draftOf(settings: NotificationSettings): SettingsDraft {
  return {
    mail: settings.mail,
    chat: settings.chat,
    chatSecret: settings.chat_secret ?? '',
    timeZone: settings.time_zone,
    isQuiet: settings.quiet_from !== null,
    quietFrom: clockText(settings.quiet_from ?? 1_200),
    quietTo: clockText(settings.quiet_to ?? 480),
    breaksQuiet: settings.breaks_quiet,
    digest: settings.digest,
    dailyFrom: clockText(settings.daily_from),
  };
}

export function problemsOf(draft: SettingsDraft): DraftProblems {
  const secret = draft.chatSecret.trim();
  return {
    ...(secret !== '' && !CHAT_SECRET.test(secret) ? { chatSecret: 'chatSecretError' as const } : {}),
    ...(secret === '' && draft.chat.length > 0 ? { chatSecret: 'chatSecretMissing' as const } : {}),
    ...(isTimeZone(draft.timeZone.trim()) ? {} : { timeZone: 'timeZoneError' as const }),
    ...(draft.isQuiet && draft.quietFrom === draft.quietTo ? { quietTo: 'quietSame' as const } : {}),
  };
}

export function settingsOf(draft: SettingsDraft): NotificationSettings {
  return {
    mail: draft.mail,
    chat: draft.chat,
    chat_secret: draft.chatSecret.trim() || null,
    time_zone: draft.timeZone.trim(),
    quiet_from: draft.isQuiet ? minuteOf(draft.quietFrom) : null,
    quiet_to: draft.isQuiet ? minuteOf(draft.quietTo) : null,
    breaks_quiet: draft.breaksQuiet,
    digest: draft.digest,
    daily_from: minuteOf(draft.dailyFrom),
  };
}
