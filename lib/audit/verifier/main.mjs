// @ts-check
// Verifies an exported file with Node alone: node main.mjs --export FILE [--keys FILE] [--checkpoints FILE]
import { parseArgs } from 'node:util';
import { openTrail, readKeys } from './open-trail.mjs';
import { readLines } from './read-lines.mjs';
import { reportExport, withKeys, withTrail } from './report.mjs';
import { verifyExport } from './verify-export.mjs';

/** @param {{ export: string, keys?: string | undefined, checkpoints?: string | undefined }} files */
export async function verifyFile({ export: file, keys, checkpoints }) {
  const trail = openTrail({ checkpoints, keys });
  const report = reportExport(await verifyExport(readLines(file), readKeys(keys), trail));
  if (report.exitCode !== 0) return report;
  return withKeys(trail === null ? report : withTrail(report, trail), keys);
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
