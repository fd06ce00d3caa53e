// The processes of a chaos world: started, struck, woken, and started again when they die.
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { ROOT, TYPESCRIPT } from '@/lib/commands/toolchain.mjs';
import type { Errand, Instruction } from './orders';
import type { StruckMessage } from './points';

type Kind = 'server' | 'worker' | 'operator' | 'automation';

export interface Post {
  readonly kind: Kind;
  readonly index: number;
  readonly env: Readonly<Record<string, string>>;
  /** Another tree than the checkout, for a product that was broken on purpose. */
  readonly root?: string;
}

type Message = StruckMessage | { readonly ready: true } | { readonly done: string };

/** Milliseconds before a dead process is started again: as fast as a supervisor would at best. */
const RESTART_MS = 100;

/** One place in the world and whoever holds it now. */
export class Worker {
  private child: ChildProcess | null = null;
  private errands = new Map<string, Errand>();
  private ready: Promise<void> = Promise.resolve();
  private closing = false;
  private readySince: number | null = null;

  constructor(
    readonly post: Post,
    private readonly told: { struck: (message: StruckMessage) => void; ended: (words: string) => void },
  ) {}

  start(): Promise<void> {
    const { kind, env, root = ROOT } = this.post;
    const child: ChildProcess = spawn(
      process.execPath,
      [...TYPESCRIPT, path.join(root, 'lib/testing/chaos', `${kind}-process.ts`)],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { ...minimal(), ...env } },
    );
    this.child = child;
    let words = '';
    child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2_000)));
    this.ready = new Promise((resolve) => {
      child.on('message', (message: Message) => {
        if ('ready' in message) {
          resolve();
          this.readySince = Date.now();
          this.send({ errands: [...this.errands.values()] });
        } else if ('done' in message) this.errands.delete(message.done);
        else this.struck(child, message);
      });
      child.once('exit', (code, signal) => {
        resolve();
        this.readySince = null;
        if (this.closing) return;
        if (signal !== 'SIGKILL')
          this.told.ended(`${kind} ${this.post.index} ended (${signal ?? code}): ${words.trim()}`);
        setTimeout(() => void (this.closing || this.start()), RESTART_MS);
      });
    });
    return this.ready;
  }

  /** To whoever holds the place; errands are told again to a successor, without the strike that has happened. */
  send(instruction: Instruction): void {
    for (const errand of instruction.errands ?? []) this.errands.set(errand.id, errand);
    if (this.child?.connected === true) this.child.send(instruction, () => undefined);
  }

  has(errandIds: ReadonlySet<string>): boolean {
    return [...this.errands.keys()].some((id) => errandIds.has(id));
  }

  forget(errandIds: Iterable<string> = [...this.errands.keys()]): void {
    for (const id of errandIds) this.errands.delete(id);
  }

  /** Errands that it was told and has not done. */
  get busy(): number {
    return this.errands.size;
  }

  /** Milliseconds for which whoever holds the place has been at work; 0 while somebody is starting. */
  get upMs(): number {
    return this.readySince === null ? 0 : Date.now() - this.readySince;
  }

  /** Kill -9; a successor gets the errands that are not forgotten. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.closing = true;
    const child = this.child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  private struck(child: ChildProcess, message: StruckMessage): void {
    this.told.struck(message);
    const errand = message.errand === null ? undefined : this.errands.get(message.errand);
    if (errand !== undefined) this.errands.set(errand.id, { ...errand, strike: null });
    if (message.action === 'STOP') void sleep(message.ms).then(() => child.kill('SIGCONT'));
  }
}

/** Nothing of the caller's own database or secrets reaches a process. */
function minimal(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, NODE_ENV: 'test' };
}
