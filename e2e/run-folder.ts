import fs from 'node:fs';
import path from 'node:path';

/** Below the checkout's data folder, which no tool looks into; each run of the tests has a part of its own. */
const FOLDER = path.resolve(import.meta.dirname, '../.data/e2e');

/** The data folder of one product of this run. */
export function productFolder(name: string): string {
  return path.join(FOLDER, process.env['E2E_RUN'] ?? String(process.pid), name);
}

/** Removes what earlier runs left that were killed before they could. */
export function removeLeftovers(): void {
  if (!fs.existsSync(FOLDER)) return;
  for (const run of fs.readdirSync(FOLDER)) if (!isRunning(Number(run))) removeRun(run);
}

/** Removes all data folders of a run, clusters that had to lie elsewhere included. */
export function removeRun(run: string): void {
  const folder = path.join(FOLDER, run);
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const record = path.join(folder, name, 'database.json');
    if (!fs.existsSync(record)) continue;
    const { cluster } = JSON.parse(fs.readFileSync(record, 'utf8')) as { cluster: string };
    fs.rmSync(cluster, { recursive: true, force: true });
  }
  fs.rmSync(folder, { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0);
  } catch {
    return false;
  }
}
