import { afterAll, beforeAll, expect, it } from 'vitest';
import { correctionFixture } from '@/lib/testing/correction-fixture';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { readAskedConflict } from './read-arrivals';

let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

it('R-088p what a request was about is read as it was asked, named fields alone, and by nobody of another tenant', async () => {
  const corrections = correctionFixture(desk, await desk.desk());
  const hashes = (amount: string) => ({
    fieldHashes: { '/amount': amount.padStart(32, '0'), '/payee': 'e'.repeat(32) },
  });
  const conflict = await corrections.conflict(
    { original: '120.50', other: '125.00' },
    hashes('1'),
    async () => hashes('2'),
  );
  const { requestId } = await corrections.requested(conflict, 'CORRECTION', conflict.intakeId);
  const read = (tenants: string[]) => readAskedConflict(db.pool('app'), requestId, tenants);
  const asked = await read(['tenant-north']);
  expect(asked?.differences).toEqual([
    { field: '/amount', differs: true, stored: '120.50', arrived: '125.00' },
    expect.objectContaining({ field: '/payee', differs: false, stored: undefined, arrived: undefined }),
  ]);
  expect(await read(['tenant-south'])).toBeNull();

  // Whatever the record says since: only a superuser could change it at all.
  await db.pool('superuser').query(`set session_replication_role = 'replica';
    update ledger.executions set display_fields = '{"/amount": "1.00"}' where execution_id = '${conflict.id}';
    set session_replication_role = 'origin'`);
  expect(await read(['tenant-north'])).toEqual(asked);
});
