// `verify:full`: every test of a check SS-nn once more, in a network of its own with a canary on what nobody may call.
// Exit 1 when a test fails or the canary was touched. Run by itself it enters the network; it is the same program inside.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT, TOOLS, TYPESCRIPT } from '../../commands/toolchain.mjs';
import { listenOn } from '../namespace/listeners';
import { FORBIDDEN, ownNetwork, UNSHARE } from '../namespace/network';
import { serveNames } from '../namespace/name-server';

const CHECK = /\bSS-\d\d\b/;
/** Set for the program inside. */
const INSIDE = 'ONCEOVER_OWN_NETWORK';

function testsOfOutsideCalls(): string[] {
  const lib = readdirSync(path.join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' });
  const files = lib.filter((file) => /\.test\.tsx?$/.test(file)).map((file) => path.join('lib', file));
  return files.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    // What enters a network by itself runs like this every time.
    return CHECK.test(text) && !text.includes('UNSHARE');
  });
}

async function inside(): Promise<number> {
  ownNetwork();
  await serveNames({});
  const canary = await listenOn(FORBIDDEN, '');
  // A folder of its own for temporary files: the database server outside is out of reach, this one is started inside.
  const folder = mkdtempSync(path.join(tmpdir(), 'onceover-outside-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must enter it
  const env = { ...process.env, TMPDIR: folder };
  const args = [TOOLS.vitest, 'run', '--reporter=dot', '-t', 'SS-\\d\\d', ...testsOfOutsideCalls()];
  const tests = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  const [code] = (await once(tests, 'exit')) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  const hits = canary.hits();
  console.log(`connections to addresses that nobody may call: ${hits.length}`);
  for (const hit of hits) console.log(`  ${hit}`);
  return code === 0 && hits.length === 0 ? 0 : 1;
}

function enter(): number {
  const [command = '', ...rest] = [...UNSHARE, process.execPath, ...TYPESCRIPT, import.meta.filename];
  const env = { ...process.env, [INSIDE]: '1' };
  return spawnSync(command, rest, { cwd: ROOT, stdio: 'inherit', env }).status ?? 1;
}

process.exit(process.env[INSIDE] === undefined ? enter() : await inside());
