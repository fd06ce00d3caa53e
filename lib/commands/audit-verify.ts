// `npm run audit:verify`: exit 0 when everything agrees, 1 with the first bad number, 2 when it could not be read.
import { parseArgs } from 'node:util';
import { readRetirements } from '@/lib/audit/retirements';
import { openArchives } from '@/lib/audit/verifier/archives.mjs';
import { verifyChain } from '@/lib/audit/verify-chain';
import { verifyFile } from '@/lib/audit/verifier/main.mjs';
import { openTrail, readKeys } from '@/lib/audit/verifier/open-trail.mjs';
import { reportArchive, reportLog, withKeys, type Report } from '@/lib/audit/verifier/report.mjs';
import { makePool, type Pool } from '@/lib/db/pool';
import { readCommandLine } from './command-line.mjs';
import { holdInstalled } from './installed-database.mjs';

const USAGE = `usage: npm run audit:verify [-- --checkpoints FILE] [--keys FILE] [--archive PLACE] [--export FILE]
  Computes the audit chain of the database anew: exit 1 and the first bad number unless everything agrees.
  --checkpoints  holds it against the signer's file, a copy of which you keep elsewhere
  --keys         believes these public keys alone (audit-keys.json, got from whoever runs the signer)
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

async function verifyDatabase(): Promise<Report> {
  const archives = asked.archive === undefined ? undefined : await openArchives(asked.archive);
  return withAudit(async (pool) => {
    const trail = () => openTrail(asked);
    const found = await verifyChain(pool, { openTrail: trail, ...(archives ? { archives } : {}) });
    const report =
      asked.checkpoints === undefined ? reportLog(found) : withKeys(reportLog(found), asked.keys);
    if (found.kind === 'broken' || archives === undefined) return report;
    // Its events hold together; whether it is the very file that was made is another question.
    const fault = await archives.judge(await readRetirements(pool), readKeys(asked.keys));
    return fault === null ? report : reportArchive(fault.file, fault.found);
  });
}

try {
  const { text, exitCode } = await (asked.export === undefined
    ? verifyDatabase()
    : verifyFile({ ...asked, export: asked.export }));
  console.log(text);
  process.exitCode = exitCode;
} catch (error) {
  console.error(`The audit could not be read: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
