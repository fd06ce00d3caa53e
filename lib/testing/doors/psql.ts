// psql itself, as somebody with a terminal or a shell script uses it: text in, text out.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { toldByAnswer, toldByError } from './sql-text';
import { scriptDoor } from './sql';
import type { Door, Told } from './door';

/** Whether there is a psql on this machine: npm's PostgreSQL brings none. */
export const hasPsql = (): boolean => spawnSync('psql', ['--version']).status === 0;

const OPTIONS = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--file=-'];
/** Prints how the statement before it ended; a statement itself, because psql flushes after those. */
const HOW_IT_ENDED = `SELECT 'ended ' || json_build_object('state', :'SQLSTATE', 'message', :'LAST_ERROR_MESSAGE');`;

interface Session {
  run(script: string): Promise<Told>;
  end(): Promise<void>;
}

/** Sessions stay open between calls, and a call that finds none idle starts one. */
export function psqlDoor(url: string): Door {
  const all: Session[] = [];
  const idle: Session[] = [];
  const run = async (script: string): Promise<Told> => {
    let session = idle.pop();
    if (session === undefined) all.push((session = startSession(url)));
    const answer = await session.run(script).finally(() => idle.push(session));
    return answer;
  };
  return scriptDoor(run, async () => void (await Promise.all(all.map((session) => session.end()))));
}

function startSession(url: string): Session {
  const child = spawn('psql', [...OPTIONS, url], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, PGCLIENTENCODING: 'UTF8' },
  });
  const exited = once(child, 'exit');
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (script) => {
      child.stdin.write(`${script}\n${HOW_IT_ENDED}\n`);
      for (let answer = ''; ;) {
        const { value: line, done } = (await lines.next()) as IteratorResult<string, undefined>;
        if (done === true) throw new Error('psql ended');
        if (!line.startsWith('ended ')) {
          answer += line;
          continue;
        }
        const { state, message } = JSON.parse(line.slice(6)) as { state: string; message: string };
        return state === '00000' ? toldByAnswer(answer) : toldByError(state, message);
      }
    },
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
