import Bowser from 'bowser';

export interface BrowserName {
  /** Name and major version, "Chrome 156". */
  readonly browser: string;
  /** "macOS", or null where the header does not tell. */
  readonly system: string | null;
}

/** What a User-Agent header calls itself, in words that a person knows; null for one that names no browser. A claim, never a proof. */
export function browserName(userAgent: string | null): BrowserName | null {
  if (userAgent === null || userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name === undefined || browser.name === '') return null;
  const major = browser.version?.split('.', 1)[0] ?? '';
  return { browser: `${browser.name} ${major}`.trim(), system: os.name ?? null };
}
