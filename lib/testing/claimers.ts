// Operating system processes that claim at the same moment: what one process does alone proves nothing about many.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Ledger, Sent, Told } from './doors/door';
import type { DoorName } from './doors/open';

/** One round for a process: so many equal claims at once through one door. */
export interface Round {
  readonly door: DoorName;
  readonly sent: Sent;
  readonly count: number;
}

export interface Claimers {
  /** All processes make the same round at once; all answers. */
  race(round: Round): Promise<Told[]>;
  stop(): Promise<void>;
}

const PROGRAM = path.join(import.meta.dirname, 'claimer.ts');
const TYPESCRIPT = ['--conditions=react-server', '--import', 'tsx'];

export async function startClaimers(processes: number, ledger: Ledger): Promise<Claimers> {
  const children = Array.from({ length: processes }, () =>
    fork(PROGRAM, [JSON.stringify(ledger)], { execArgv: TYPESCRIPT }),
  );
  await Promise.all(children.map(nextMessage));
  return {
    race: async (round) => {
      const answers = children.map(
        (child) => nextMessage(child) as Promise<{ answers?: Told[]; error?: string }>,
      );
      for (const child of children) child.send(round);
      return (await Promise.all(answers)).flatMap(({ answers: some, error }) => {
        if (some === undefined) throw new Error(error);
        return some;
      });
    },
    stop: async () => {
      const exits = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(exits);
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('a claiming process ended');
  });
  try {
    return ((await Promise.race([once(child, 'message', { signal }), exit])) as unknown[])[0];
  } finally {
    exit.catch(() => undefined);
    ended.abort();
  }
}
