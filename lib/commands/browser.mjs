// The browser of the end-to-end tests: Debian's own chromium, installed when none is there.
import fs from 'node:fs';
import path from 'node:path';
import { installPackages } from './debian.mjs';
import { ROOT } from './toolchain.mjs';

/** Debian's path, or the one of CHROMIUM_PATH. */
export const chromiumPath = () => process.env.CHROMIUM_PATH || '/usr/bin/chromium';

/** Whether there are browser tests at all. */
export const hasBrowserTests = () =>
  fs.existsSync(path.join(ROOT, 'e2e')) &&
  fs.readdirSync(path.join(ROOT, 'e2e')).some((name) => name.endsWith('.spec.ts'));

// Without a Korean font pages and screenshots show empty boxes.
const hasKoreanFont = () => fs.existsSync('/usr/share/fonts/truetype/nanum');

/** Installs chromium and a Korean font where they are missing; needs root and apt for that. */
export async function prepareBrowser() {
  if (fs.existsSync(chromiumPath()) && (hasKoreanFont() || process.env.CHROMIUM_PATH)) return;
  const { ok, output } = await installPackages(['chromium', 'fonts-nanum']);
  if (ok && fs.existsSync(chromiumPath())) return;
  throw new Error(
    `No browser for the browser tests: install chromium, or name one with CHROMIUM_PATH.\n${output.slice(-1500)}`,
  );
}
