import { z } from 'zod';
import { NOTIFICATION_REASONS, type NotificationReason, type NotificationWay } from './notifications';

export const DIGESTS = ['NONE', 'HOURLY', 'DAILY'] as const;

/** What one person chose beside the inbox. Members are named like the columns of `review.notification_settings`. */
export interface NotificationSettings {
  readonly mail: readonly NotificationReason[];
  readonly chat: readonly NotificationReason[];
  /** `SECRET_<this>` of the deployment holds the webhook's address. */
  readonly chat_secret: string | null;
  readonly time_zone: string;
  /** Minutes of the person's day; null: never quiet. From after to reaches over midnight. */
  readonly quiet_from: number | null;
  readonly quiet_to: number | null;
  readonly breaks_quiet: boolean;
  readonly digest: (typeof DIGESTS)[number];
  readonly daily_from: number;
}

/** For whoever has chosen nothing: what waits for this person alone goes by mail, at once. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  mail: ['ASSIGNED', 'MENTIONED', 'DECISION_ASKED', 'OVERDUE', 'BREAK_GLASS'],
  chat: [],
  chat_secret: null,
  time_zone: 'UTC',
  quiet_from: null,
  quiet_to: null,
  breaks_quiet: false,
  digest: 'NONE',
  daily_from: 540,
};

export const CHAT_SECRET = /^CHAT_[A-Z0-9_]{1,56}$/;

/** Whether this system knows the zone by that name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

const minute = z.int().min(0).max(1_439);
const reasons = z.array(z.enum(NOTIFICATION_REASONS)).refine((list) => new Set(list).size === list.length);

/** As a person's form says it. */
export const notificationSettings = z
  .strictObject({
    mail: reasons,
    chat: reasons,
    chat_secret: z.string().regex(CHAT_SECRET).nullable(),
    time_zone: z.string().max(64).refine(isTimeZone),
    quiet_from: minute.nullable(),
    quiet_to: minute.nullable(),
    breaks_quiet: z.boolean(),
    digest: z.enum(DIGESTS),
    daily_from: minute,
  })
  .refine((given) => (given.quiet_from === null) === (given.quiet_to === null))
  .refine((given) => given.quiet_from === null || given.quiet_from !== given.quiet_to)
  .refine((given) => given.chat.length === 0 || given.chat_secret !== null);

/** Whether a reason goes that way by these settings. */
export function goesBy(
  settings: NotificationSettings,
  way: NotificationWay,
  reason: NotificationReason,
): boolean {
  return way === 'MAIL'
    ? settings.mail.includes(reason)
    : settings.chat_secret !== null && settings.chat.includes(reason);
}
