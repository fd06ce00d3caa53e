// `npm run audit:verify`: exit 0 when everything agrees, 1 with the first bad number, 2 when it could not be read.
import { parseArgs } from 'node:util';
import { verifyFile } from '@/lib/audit/verifier/main.mjs';
import { verifyDatabase } from '@/lib/audit/verify-database';
import { makePool, type Pool } from '@/lib/db/pool';
import { dataDirPlace } from './data-dir.mjs';
import { readCommandLine } from './command-line.mjs';
import { holdInstalled } from './installed-database.mjs';

const USAGE = `usage: npm run audit:verify [-- --checkpoints FILE] [--keys FILE] [--archive PLACE] [--export FILE]
  Computes the audit chain of the database anew, and holds it against the checkpoints that the database keeps, against the
  signer's file where DATA_DIR has it, and tells its alarm: exit 1 and the first bad number unless everything agrees.
  --checkpoints  holds it against this copy of the signer's file, which you keep elsewhere
  --keys         believes these public keys alone (audit-keys.json, got from whoever runs the signer);
                 without it exit 0 says nothing about whose signature it is, and the last line tells so
  --archive      begins with the archives of retired events: a file, or a folder of them
  --export       verifies an exported file or an archive (JSON Lines) instead of the database, from its own bytes`;

const asked = readCommandLine(
  USAGE,
  () =>
    parseArgs({
      options: {
        checkpoints: { type: 'string' },
        keys: { type: 'string' },
        archive: { type: 'string' },
        export: { type: 'string' },
      },
    }).values,
);

const isHere = process.env['DATABASE_URL'] === undefined || process.env['DATA_DIR'] !== undefined;

async function withAudit<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const url = process.env['DATABASE_URL'];
  // The signer reads the audit and nothing else.
  const held = url ? null : await holdInstalled('onceover_signer');
  const pool = makePool({
    connectionString: url ?? held?.url('onceover_signer') ?? '',
    name: 'audit verify',
    max: 1,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await held?.release();
  }
}

try {
  const { text, exitCode } = await (asked.export === undefined
    ? withAudit((pool) =>
        // Of another database than the one installed here, only who names DATA_DIR says that the file is about it.
        verifyDatabase(pool, { ...asked, dataDir: isHere ? dataDirPlace() : null }),
      )
    : verifyFile({ ...asked, export: asked.export }));
  console.log(text);
  process.exitCode = exitCode;
} catch (error) {
  console.error(`The audit could not be read: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
