import { isLocale, negotiateLocale, type Locale } from '@/lib/domain/messages/locales';

/** Looks and language are preferences of a browser: plain cookies that scripts may write, worth nothing to a thief. */
export const LOCALE_COOKIE = 'onceover-locale';
export const THEME_COOKIE = 'onceover-theme';
export const ZONE_COOKIE = 'onceover-zone';
/** `off`: no shortcuts of one letter. */
export const KEYS_COOKIE = 'onceover-keys';
/** `off`: after a decision beside the queue, the next row is not opened. */
export const NEXT_COOKIE = 'onceover-next';

const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

type CookieValue = string | undefined;

export function chosenTheme(cookie: CookieValue): Theme {
  return THEMES.find((theme) => theme === cookie) ?? 'system';
}

/** The chosen language; without a choice, the browser's. */
export function chosenLocale(cookie: CookieValue, acceptLanguage: string | null): Locale {
  return isLocale(cookie) ? cookie : negotiateLocale(acceptLanguage);
}

/** The reader's IANA time zone as the browser last told; UTC until it has. */
export function chosenZone(cookie: CookieValue): string {
  // Asked of the runtime, because a made-up zone makes every formatter throw.
  try {
    return cookie === undefined || cookie.length > 64
      ? 'UTC'
      : new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(cookie) }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** Seconds; a year, after which the browser's own defaults hold again. */
const KEPT_FOR = 31_536_000;

/** Browser only. */
export function rememberPreference(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${KEPT_FOR}; SameSite=Lax`;
}

/** What this browser remembers under a name; nothing on the server. */
export function rememberedPreference(name: string): CookieValue {
  if (typeof document === 'undefined') return undefined;
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? undefined : decodeURIComponent(found.slice(name.length + 1));
}
