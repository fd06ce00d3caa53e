// One hash over every file that is, or would be, committed: test results belong to exactly one such tree.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { ROOT } from './toolchain.mjs';

/** @returns {string | null} null when the folder is no git checkout: then nothing can be said about older results */
export function treeDigest() {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  if (listed.status !== 0) return null;
  const hash = crypto.createHash('sha256').update(process.version);
  for (const name of listed.stdout.split('\0').filter(Boolean).sort()) {
    const file = path.join(ROOT, name);
    if (!fs.existsSync(file)) continue; // deleted and not yet committed
    hash.update(`${name}\0`).update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}
