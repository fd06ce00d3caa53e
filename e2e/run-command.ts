import { execFile } from 'node:child_process';
import path from 'node:path';
import { environmentOf, type Place } from './product';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Runs `npm run <name>` on a product's data folder. */
export function runCommand(
  place: Pick<Place, 'dataDir'>,
  name: string,
  args: string[] = [],
): Promise<{ code: number; output: string }> {
  const words = ['run', '--silent', name, '--', ...args];
  return new Promise((resolve) => {
    execFile('npm', words, { cwd: ROOT, env: environmentOf(place) }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}
