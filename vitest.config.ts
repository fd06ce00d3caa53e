import { configDefaults, defineConfig } from 'vitest/config';
import { mutateModule } from './lib/testing/mutate-module.ts';

const exclude = [...configDefaults.exclude, '.next/**', '.data/**', 'e2e/**'];
// `import 'server-only'` throws outside React's server bundle; tests run in plain Node.
const alias = {
  '@': import.meta.dirname,
  'server-only': `${import.meta.dirname}/node_modules/server-only/empty.js`,
};

export default defineConfig({
  plugins: [mutateModule(import.meta.dirname, process.env.ONCEOVER_MUTANT)],
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['**/*.test.{ts,tsx}'], exclude: [...exclude, '**/*.db.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['**/*.db.test.ts'],
          exclude,
          globalSetup: ['lib/testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
