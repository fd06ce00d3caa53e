// `npm run audit:signer` as a real process beside a test, in the folder of its fixture.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ROOT, TYPESCRIPT } from '../commands/toolchain.mjs';
import type { TestDatabase } from './database';
import type { SignerFixture } from './signer-fixture';

interface Started {
  child: ChildProcess;
  output: () => string;
}

export interface SignerProgram {
  start: (args: string[], env?: Record<string, string>) => Started;
  run: (args: string[], env?: Record<string, string>) => Promise<{ code: number | null; output: string }>;
  /** SIGKILL for all that were started. */
  killAll: () => void;
}

export function signerProgram(db: TestDatabase, fixture: SignerFixture): SignerProgram {
  const children: ChildProcess[] = [];
  const start: SignerProgram['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [...TYPESCRIPT, 'lib/commands/audit-signer.ts', ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        DATABASE_URL: db.signerUrl,
        DATA_DIR: fixture.folder,
        LOG_LEVEL: 'debug',
        AUDIT_CHECKPOINT_SECONDS: '0.1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  };
  return {
    start,
    run: async (args, env) => {
      const { child, output } = start(args, env);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, output: output() };
    },
    killAll: () => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    },
  };
}
