// The processes of a running installation: started, watched, restarted where that is safe, stopped together.
import fs from 'node:fs';
import { spawn } from 'node:child_process';
import { ROOT } from './toolchain.mjs';

const DIE_WITH_PARENT = new URL('./die-with-parent.mjs', import.meta.url).href;
/** Milliseconds that a child gets to end by itself after SIGTERM. */
const STOP_MS = 8_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A child that ran this long is healthy: its next crash starts with the first pause again. */
const HEALTHY_MS = 60_000;

/**
 * @typedef {object} ChildPlan
 * @property {string} name
 * @property {string[]} args for node: flags, program, arguments
 * @property {Record<string, string | undefined>} env the whole environment
 * @property {string} [logFile] else the output goes to ours
 * @property {boolean} restart whether a crash is mended by starting it again
 */

const lastLines = (file) => {
  if (!file || !fs.existsSync(file)) return '';
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
};

export class Children {
  /** @param {{ tell: (line: string) => void, onFatal: (reason: string) => void }} listeners */
  constructor({ tell, onFatal }) {
    this.tell = tell;
    this.onFatal = onFatal;
    this.running = new Map();
    this.stopping = false;
  }

  /** @param {ChildPlan} plan */
  start(plan, pause = FIRST_PAUSE_MS) {
    if (this.stopping) return;
    const log = plan.logFile ? fs.openSync(plan.logFile, 'a', 0o600) : 'inherit';
    const child = spawn(process.execPath, ['--import', DIE_WITH_PARENT, ...plan.args], {
      cwd: ROOT,
      env: plan.env,
      // A process group of its own: Ctrl-C reaches us alone, and we stop the children in order.
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    if (typeof log === 'number') fs.closeSync(log);
    const startedAt = Date.now();
    this.running.set(plan.name, child);
    child.once('error', (error) => this.onFatal(`The ${plan.name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      this.running.delete(plan.name);
      if (this.stopping) return;
      const how = `The ${plan.name} ended (${signal ?? `exit code ${code}`})`;
      if (!plan.restart) {
        this.onFatal(`${how}.\n${lastLines(plan.logFile)}`.trimEnd());
        return;
      }
      const wait = Date.now() - startedAt > HEALTHY_MS ? FIRST_PAUSE_MS : pause;
      this.tell(
        `${how}; starting it again in ${wait / 1000} s.${plan.logFile ? ` Its words: ${plan.logFile}` : ''}`,
      );
      setTimeout(() => this.start(plan, Math.min(wait * 2, LONGEST_PAUSE_MS)), wait);
    });
  }

  /** SIGTERM for all, SIGKILL for those that do not end in time. */
  async stop() {
    this.stopping = true;
    const children = [...this.running.values()];
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of children) child.kill('SIGTERM');
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)));
    await Promise.race([Promise.all(ended), late]);
    clearTimeout(timer);
    for (const child of this.running.values()) child.kill('SIGKILL');
  }
}
