import { defineConfig } from '@playwright/test';
import { chromiumPath } from './lib/commands/browser.mjs';

/** Two cores serve the product, its sandbox and the browsers: more workers would only wait for each other. */
const WORKERS = 2;

const FIRST = 'queue-tells-the-truth.spec.ts';
/** Minutes in one line: begun last, it would keep one worker busy while the others have nothing left. */
const LINE = 'server-killed.spec.ts';
/** They ask thousands of times, walk long forms in every look, or start a product of their own; `npm run verify:full` runs them (E2E_FULL). */
const LONG = [
  'access-matrix.spec.ts',
  'artefact.spec.ts',
  'behind-proxy.spec.ts',
  'bulk-job.spec.ts',
  'bulk-link.spec.ts',
  'caches.spec.ts',
  'foreign-origins.spec.ts',
  'help-tour.spec.ts',
  'http-answers.spec.ts',
  'live-queue.spec.ts',
  'newcomer-connects.spec.ts',
  'oidc.spec.ts',
  'operation-policies.spec.ts',
  'outage.spec.ts',
  'print.spec.ts',
  'privacy.spec.ts',
  'sign-in-attacks.spec.ts',
  'saved-views.spec.ts',
  'spellings.spec.ts',
  'what-a-person-saw.spec.ts',
  'working-together.spec.ts',
];
const isFull = process.env['E2E_FULL'] !== undefined;

export default defineConfig({
  testDir: 'e2e',
  // The real product, started and stopped by it: `npm run up` on a data folder and ports of its own.
  globalSetup: './e2e/start-product.ts',
  outputDir: 'test-results/browser',
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  workers: WORKERS,
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env['CI']),
  use: {
    locale: 'en-US',
    timezoneId: 'Asia/Seoul',
    viewport: { width: 1280, height: 900 },
    trace: 'retain-on-failure',
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-software-rasterizer',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    // Alone and first: it measures how soon a started product shows what its automations caused.
    { name: 'first minute', testMatch: FIRST },
    { name: 'killed', testMatch: LINE, dependencies: ['first minute'] },
    {
      name: 'desk',
      testIgnore: [FIRST, LINE, ...(isFull ? [] : LONG)],
      dependencies: ['first minute'],
    },
  ],
});
