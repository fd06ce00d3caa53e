import { expect, inject, it } from 'vitest';
import { testDatabase } from '@/lib/testing/database';
import { isBelow } from './floor';
import floor from './floor.json' with { type: 'json' };

it('SC-01 the PostgreSQL that answers is not below the floor of its version', async () => {
  const db = await testDatabase();
  const { rows } = await db.pool('app').query<{ server_version: string }>('show server_version');
  await db.drop();
  const version = rows[0]?.server_version ?? '';
  const least = (floor.postgresql as Record<string, string>)[String(inject('postgres'))] ?? '';
  expect(isBelow(version, least), `PostgreSQL ${version}, floor ${least}`).toBe(false);
});
