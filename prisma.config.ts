import { defineConfig } from 'prisma/config';

// Used by `prisma generate` and `format` alone; migrations run by lib/commands/migrate.mjs.
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_OWNER_URL ?? '' },
});
