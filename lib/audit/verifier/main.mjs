// @ts-check
// Verifies an exported file with Node alone: node main.mjs --export FILE [--keys FILE] [--checkpoints FILE]
import { parseArgs } from 'node:util';
import { sha256Of } from './archives.mjs';
import { openTrail, readKeys } from './open-trail.mjs';
import { readLines } from './read-lines.mjs';
import { reportExport, withKeys, withTrail } from './report.mjs';
import { verifyExport } from './verify-export.mjs';

/** @param {{ export: string, keys?: string | undefined, checkpoints?: string | undefined }} files */
export async function verifyFile({ export: file, keys, checkpoints }) {
  const trail = openTrail({ checkpoints, keys });
  const found = await verifyExport(readLines(file), readKeys(keys), trail);
  const report = reportExport(found);
  if (found.kind !== 'verified') return report;
  if (trail === null) return withKeys(report, { keys, isSigned: found.proof.signed > 0 });
  await trail.finish();
  const { archived, first, last, hash } = found.proof;
  const seals = openTrail({ checkpoints, keys });
  if (archived && seals !== null && first !== null && last !== null) {
    seals.seals.watch([last]);
    await seals.finish();
    const range = { first, last, hash, sha256: await sha256Of(file) };
    if (seals.fault === null && !seals.seals.holds(range))
      return reportExport({ kind: 'broken', fault: { number: first, reason: 'ARCHIVE' } });
  }
  const isSigned = found.proof.signed > 0 || trail.agreed !== null;
  return withKeys(withTrail(report, trail, last), { keys, isSigned });
}

if (import.meta.filename === process.argv[1]) {
  try {
    const { values } = parseArgs({
      options: { export: { type: 'string' }, keys: { type: 'string' }, checkpoints: { type: 'string' } },
    });
    if (values.export === undefined)
      throw new Error('usage: node main.mjs --export FILE [--keys FILE] [--checkpoints FILE]');
    const { text, exitCode } = await verifyFile({ ...values, export: values.export });
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
  }
}
