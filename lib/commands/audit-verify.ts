// `npm run audit:verify`: exit 0 when everything agrees, 1 with the first bad number, 2 when it could not be read.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readRetirements } from '@/lib/audit/retirements';
import { signerAlarm, storedTrail } from '@/lib/audit/stored-trail';
import { openArchives, type ArchivedEvents } from '@/lib/audit/verifier/archives.mjs';
import { verifyChain } from '@/lib/audit/verify-chain';
import type { CheckpointTrail } from '@/lib/audit/verifier/checkpoint-trail.mjs';
import type { Verification } from '@/lib/audit/verifier/verify-log.mjs';
import { verifyFile } from '@/lib/audit/verifier/main.mjs';
import { openTrail, readKeys } from '@/lib/audit/verifier/open-trail.mjs';
import { reportArchive, reportLog, withKeys, type Report } from '@/lib/audit/verifier/report.mjs';
import { makePool, type Pool } from '@/lib/db/pool';
import { dataDirPlace } from './data-dir.mjs';
import { readCommandLine } from './command-line.mjs';
import { holdInstalled } from './installed-database.mjs';

const USAGE = `usage: npm run audit:verify [-- --checkpoints FILE] [--keys FILE] [--archive PLACE] [--export FILE]
  Computes the audit chain of the database anew, and holds it against the checkpoints that the database keeps, against the
  signer's file where DATA_DIR has it, and tells its alarm: exit 1 and the first bad number unless everything agrees.
  --checkpoints  holds it against this copy of the signer's file, which you keep elsewhere
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
    const { found, report } = await verifyAgainstAll(pool, archives);
    if (report.exitCode !== 0 || found.kind === 'broken' || archives === undefined) return report;
    // Its events hold together; whether it is the very file that was made is another question.
    const fault = await archives.judge(await readRetirements(pool), readKeys(asked.keys));
    return fault === null ? report : reportArchive(fault.file, fault.found);
  });
}

/** Against each source of checkpoints that there is: the first that does not agree speaks, else the one furthest outside. */
async function verifyAgainstAll(
  pool: Pool,
  archives: ArchivedEvents | undefined,
): Promise<{ found: Verification; report: Report }> {
  const kept = path.join(dataDirPlace(), 'audit-checkpoints.jsonl');
  // Of another database than the one installed here, only who names DATA_DIR says that the file is about it.
  const isHere = process.env['DATABASE_URL'] === undefined || process.env['DATA_DIR'] !== undefined;
  const published = asked.checkpoints ?? (isHere && existsSync(kept) ? kept : undefined);
  const against = async (open: () => Promise<CheckpointTrail | null>, from: string) => {
    const found = await verifyChain(pool, { openTrail: open, ...(archives ? { archives } : {}) });
    const report = reportLog(found);
    return {
      found,
      report:
        found.kind === 'verified' && found.signed === undefined
          ? report
          : { ...report, text: `${report.text}\n${from}` },
    };
  };
  const rows = await against(
    () => storedTrail(pool, readKeys(asked.keys)),
    'Held against the checkpoints that the database itself keeps.',
  );
  const outside =
    rows.report.exitCode !== 0 || published === undefined
      ? null
      : await against(
          () => Promise.resolve(openTrail({ checkpoints: published, keys: asked.keys })),
          `Held against those in ${published}, and those that the database itself keeps.`,
        );
  const { found, report } = outside ?? rows;
  const isHeld = found.kind !== 'verified' || found.signed !== undefined;
  return { found, report: await withAlarm(pool, isHeld ? withKeys(report, asked.keys) : report) };
}

async function withAlarm(pool: Pool, report: Report): Promise<Report> {
  const alarm = await signerAlarm(pool);
  if (alarm === null) return report;
  const where = alarm.number === null ? '' : `, first bad number ${alarm.number}`;
  return {
    text: `${report.text}\nThe signer refuses to sign since ${alarm.since}: ${alarm.code}${where}.`,
    exitCode: 1,
  };
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
