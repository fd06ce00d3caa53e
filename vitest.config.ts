import { configDefaults, defineConfig } from 'vitest/config';
import { MAJOR, OLDER_MAJOR } from './lib/commands/postgres-binaries.mjs';
import { mutateModule } from './lib/testing/mutate-module.ts';

const exclude = [...configDefaults.exclude, '.next/**', '.data/**', 'e2e/**'];
// `import 'server-only'` throws outside React's server bundle; tests run in plain Node.
const alias = {
  '@': import.meta.dirname,
  'server-only': `${import.meta.dirname}/node_modules/server-only/empty.js`,
};

/** All of the database's tests on the older PostgreSQL: `verify:full` asks for it. */
const allOnOlder = process.env.TEST_POSTGRES === String(OLDER_MAJOR);
const database = {
  exclude,
  globalSetup: ['lib/testing/global-setup.ts'],
  hookTimeout: 30_000,
};

export default defineConfig({
  plugins: [mutateModule(import.meta.dirname, process.env.ONCEOVER_MUTANT)],
  resolve: { alias },
  test: {
    // One less than there are cores unless told: on two, everything in one line, though most of it waits for a database.
    maxWorkers: 2,
    // A condition is waited for, not raced: the defaults of one and five seconds fail on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        // One module graph for all files of a worker: they share no state, and to load it anew took half of their time.
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.db.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...database,
          name: 'database',
          include: ['**/*.db.test.ts'],
          provide: { postgres: allOnOlder ? OLDER_MAJOR : MAJOR },
        },
      },
      // What producers rely on is tried on both versions each time.
      {
        extends: true,
        test: {
          ...database,
          name: 'older-postgres',
          include: allOnOlder ? [] : ['lib/ledger/claims/*.db.test.ts'],
          provide: { postgres: OLDER_MAJOR },
        },
      },
    ],
  },
});
