import AxeBuilder from '@axe-core/playwright';
import { type BrowserContextOptions, type Page } from '@playwright/test';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from './desk';

export const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export const THEMES = ['light', 'dark'] as const;
export const LANGUAGES = { en: 'en-US', ko: 'ko-KR' } as const;

export interface Look {
  language: keyof typeof LANGUAGES;
  theme: (typeof THEMES)[number];
  width: keyof typeof WIDTHS;
}

const ALL_LOOKS: readonly Look[] = (['en', 'ko'] as const).flatMap((language) =>
  THEMES.flatMap((theme) => (['desktop', 'phone'] as const).map((width) => ({ language, theme, width }))),
);
/** Two opposites: each language, theme and width is in one of them. All eight with E2E_FULL. */
export const LOOKS = ALL_LOOKS.filter(
  ({ language, theme, width }) =>
    process.env['E2E_FULL'] !== undefined ||
    [language === 'ko', theme === 'dark', width === 'phone'].filter(Boolean).length % 3 === 0,
);

export const nameOf = ({ language, theme, width }: Look): string => `${language}-${theme}-${width}`;

/** A browser whose owner prefers this look; nothing is clicked for it. */
export function browserFor({ language, theme, width }: Look): BrowserContextOptions {
  const phone = width === 'phone' ? { hasTouch: true, isMobile: true } : {};
  return {
    locale: LANGUAGES[language],
    colorScheme: theme,
    viewport: WIDTHS[width],
    reducedMotion: 'reduce',
    ...phone,
  };
}

const AREAS =
  'admin|approvals|audit|bulk|common|connectors|decisions|docs|errors|exception|executions|glossary|help|life|login|lookup|notifications|policies|queue|words|refusal|kind|nextStep';
/** What next-intl prints in place of a text that the catalogue lacks. */
const RAW_MESSAGE = new RegExp(`(?<![\\w./])(?:${AREAS})(?:\\.[a-z][A-Za-z]+){2,}(?![\\w.])`, 'g');

/**
 * Scrollers that go on below their last visible thing. What only screen readers get is laid out absolutely, so without a
 * positioned parent it stretches whatever scrolls around it. Runs in the page.
 */
function emptyBelow(): string[] {
  const SLACK = 48;
  const root = document.documentElement;
  const scrolls = (each: Element) => /auto|scroll|hidden/.test(getComputedStyle(each).overflowY);
  /** What an element is laid out in: content of an inner scroller ends where that scroller ends. */
  const around = (each: Element | null): Element =>
    each === null || each === document.body ? root : scrolls(each) ? each : around(each.parentElement);
  const scrollers = [root, ...[...document.querySelectorAll('main, main *')].filter(scrolls)];
  return scrollers.flatMap((scroller) => {
    const start =
      scroller === root ? -window.scrollY : scroller.getBoundingClientRect().top - scroller.scrollTop;
    const ends = [...scroller.querySelectorAll('*')].flatMap((each) => {
      const { width, height, bottom } = each.getBoundingClientRect();
      const seen = width > 1 && height > 1 && getComputedStyle(each).position !== 'fixed';
      return seen && around(each.parentElement) === scroller ? [bottom - start] : [];
    });
    const below = scroller.scrollHeight - Math.max(scroller.clientHeight, ...ends);
    const name = scroller.tagName.toLowerCase();
    return below > SLACK ? [`${name} goes on for ${Math.round(below)} px below its content`] : [];
  });
}

/** What every page must be, however it looks. Answers what is wrong, as text. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Our pages have no frames, and what passes is not asked for: a fifth of the time, the same violations.
  // Of WCAG 2.2 AA, the size of targets (2.5.8) alone is off by default.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
    .analyze();
  const barriers = violations.map(
    ({ id, impact, nodes }) =>
      `${impact}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
  );
  const wide = await page.evaluate(() => {
    const root = document.documentElement;
    const scrollers = [...document.querySelectorAll('main')].filter(
      (main) => getComputedStyle(main).overflowX !== 'visible',
    );
    return (
      root.scrollWidth > window.innerWidth + 1 ||
      scrollers.some((main) => main.scrollWidth > main.clientWidth + 1)
    );
  });
  const empty = await page.evaluate(emptyBelow);
  const raw = (await page.locator('body').innerText()).match(RAW_MESSAGE) ?? [];
  const layout = [...(wide ? ['scrolls sideways'] : []), ...empty];
  return [...barriers, ...layout, ...raw.map((key) => `no text for ${key}`)];
}

const SCREENS = path.resolve(import.meta.dirname, '../test-results/screens');
/** Set to a folder, for example `public/screenshots`, to renew the README's pictures with a run. */
const PICTURES = process.env['PICTURES'];

/** Keeps what the page looks like now. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const file = path.join(SCREENS, `${name}-${nameOf(look)}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  if (PICTURES === undefined) return;
  fs.mkdirSync(PICTURES, { recursive: true });
  fs.copyFileSync(file, path.join(PICTURES, path.basename(file)));
}

/** The page is there, drawn, and in the language that the browser asked for. */
export async function arrive(page: Page, address: string, { language }: Look): Promise<void> {
  await page.goto(address);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
}
