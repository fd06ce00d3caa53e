import { makePool } from '@/lib/db/pool';
import { ledgerRecords, scopeFault, type SheetScope } from '@/lib/review/sheet/ledger-records';
import { holdInstalled } from './installed-database.mjs';
import type { ReadLedger } from './ledger-columns';

/** Lets `work` read a scope of the ledger of DATABASE_URL, else of the embedded one; the database refuses it any writing. */
export async function withLedger<T>(scope: SheetScope, work: (read: ReadLedger) => Promise<T>): Promise<T> {
  const url = process.env['DATABASE_URL'];
  const held = url ? null : await holdInstalled('onceover_app');
  const connectionString = url ?? held?.url('onceover_app') ?? '';
  const pool = makePool({ connectionString, name: 'sheet', max: 1 });
  try {
    const client = await pool.connect();
    try {
      await client.query('set session characteristics as transaction read only');
      const fault = await scopeFault(client, scope);
      if (fault !== null) throw new Error(fault);
      return await work((keys) => ledgerRecords(client, scope, keys));
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
    await held?.release();
  }
}
