// A real process beside the test: it says where it is, waits where it is told to, and can be killed there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { ROOT } from '../commands/toolchain.mjs';

/** One line of a program's output. */
export interface Said {
  at: string;
  [member: string]: unknown;
}

export interface Program {
  /** Its next line, which must say `at`. */
  reaches(at: string): Promise<Said>;
  /** Lets it go on from where it waits, and may tell it something. */
  go(word?: object): void;
  /** SIGSTOP: it does nothing and holds everything, until `go` wakes it up as well. */
  stop(): void;
  /** SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>;
}

/**
 * Starts `lib/testing/programs/<name>.ts` with its input; the process dies with the test.
 * @param within a command that the program is started by, such as `unshare`
 */
export function startProgram(name: string, input: object, within: readonly string[] = []): Program {
  // As the product's own programs run: `server-only` throws elsewhere.
  const args = [
    '--conditions=react-server',
    '--import',
    './lib/commands/die-with-parent.mjs',
    '--import',
    'tsx',
  ];
  const program = [process.execPath, ...args, path.join('lib/testing/programs', `${name}.ts`)];
  const [command = '', ...rest] = [...within, ...program];
  const child = spawn(command, rest, {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, PROGRAM_INPUT: JSON.stringify(input) },
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('bug: no pipes to the program');
  const gone = once(child, 'exit');
  const lines = readline.createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    reaches: async (at) => {
      const { value, done } = (await lines.next()) as { value: string; done?: boolean };
      if (done === true) throw new Error(`the program ended before it reached "${at}"`);
      const said = JSON.parse(value) as Said;
      if (said.at !== at) throw new Error(`expected "${at}", the program said ${value}`);
      return said;
    },
    stop: () => void child.kill('SIGSTOP'),
    go: (word) => {
      stdin.write(`${word === undefined ? '' : JSON.stringify(word)}\n`);
      child.kill('SIGCONT');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
