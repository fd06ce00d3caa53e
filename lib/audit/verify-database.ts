import 'server-only';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from '@/lib/db/pool';
import { readRetirements } from './retirements';
import { signerAlarm, storedTrail } from './stored-trail';
import { openArchives, type ArchivedEvents } from './verifier/archives.mjs';
import type { CheckpointTrail } from './verifier/checkpoint-trail.mjs';
import { openTrail, readKeys } from './verifier/open-trail.mjs';
import { reportArchive, reportLog, withKeys, type Report } from './verifier/report.mjs';
import type { Verification } from './verifier/verify-log.mjs';
import { verifyChain } from './verify-chain';

export interface VerifyAgainst {
  /** Where the signer of this database publishes; null: not known here. */
  dataDir: string | null;
  /** A copy of its file that is held against instead. */
  checkpoints?: string | undefined;
  /** The only public keys that are believed. */
  keys?: string | undefined;
  /** Archives of retired events to begin with. */
  archive?: string | undefined;
}

/** Verifies the audit of a database against every source of checkpoints that there is, and tells the signer's alarm (R-087z). */
export async function verifyDatabase(pool: Pool, against: VerifyAgainst): Promise<Report> {
  const archives = against.archive === undefined ? undefined : await openArchives(against.archive);
  const { found, report } = await verifyAgainstAll(pool, against, archives);
  if (report.exitCode !== 0 || found.kind === 'broken' || archives === undefined) return report;
  // Its events hold together; whether it is the very file that was made is another question.
  const fault = await archives.judge(await readRetirements(pool), readKeys(against.keys));
  return fault === null ? report : reportArchive(fault.file, fault.found);
}

interface Found {
  found: Verification;
  report: Report;
}

/** The first source that does not agree speaks, else the one furthest outside. */
async function verifyAgainstAll(
  pool: Pool,
  { dataDir, checkpoints, keys }: VerifyAgainst,
  archives: ArchivedEvents | undefined,
): Promise<Found> {
  const published = checkpoints ?? publishedIn(dataDir);
  const held = async (open: () => Promise<CheckpointTrail | null>, from: string): Promise<Found> => {
    const found = await verifyChain(pool, { openTrail: open, ...(archives ? { archives } : {}) });
    const report = reportLog(found);
    const isAlone = found.kind === 'verified' && found.signed === undefined;
    return { found, report: isAlone ? report : { ...report, text: `${report.text}\n${from}` } };
  };
  const rows = await held(
    () => storedTrail(pool, readKeys(keys)),
    'Held against the checkpoints that the database itself keeps.',
  );
  const outside =
    rows.report.exitCode !== 0 || published === undefined
      ? null
      : await held(
          () => Promise.resolve(openTrail({ checkpoints: published, keys })),
          `Held against those in ${published}, and those that the database itself keeps.`,
        );
  const { found, report } = outside ?? rows;
  const isSigned = found.kind === 'verified' && found.signed != null;
  return { found, report: await withAlarm(pool, withKeys(report, { keys, isSigned })) };
}

function publishedIn(dataDir: string | null): string | undefined {
  if (dataDir === null) return undefined;
  const file = path.join(dataDir, 'audit-checkpoints.jsonl');
  return existsSync(file) ? file : undefined;
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
