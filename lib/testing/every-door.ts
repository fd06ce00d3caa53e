import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { claimWorld, type ClaimWorld } from './claim-world';
import type { Door } from './doors/door';
import { DOORS } from './doors/open';

/** One promise of the ledger, tried through a door. `operation` is the case's own; the title carries the rules' ids. */
export interface ClaimCase {
  readonly title: string;
  readonly run: (door: Door, world: ClaimWorld, operation: string) => Promise<void>;
}

/** A ledger for the tests of the file, on the PostgreSQL that they are to run on; the clock runs again after each. */
export function worldOfFile(): () => ClaimWorld {
  let world: ClaimWorld;
  beforeAll(async () => {
    world = await claimWorld();
    const { rows } = await world.api.pool.query<{ major: number }>(
      `select current_setting('server_version_num')::int / 10000 as major`,
    );
    expect(rows[0]?.major, 'the version of PostgreSQL').toBe(inject('postgres'));
  });
  afterAll(() => world.close());
  afterEach(() => world.api.db.setClock(null));
  return () => world;
}

/** Makes a test of each case and door: what holds through one must hold through all. */
export function throughEveryDoor(cases: readonly ClaimCase[]): void {
  const world = worldOfFile();
  describe.each(DOORS)('through %s', (name) => {
    it.each(cases.map((each) => [each.title, each] as const))('%s', async (_, each) => {
      await each.run(world().door(name), world(), world().fresh('claim'));
    });
  });
}
