import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Journal } from '../journal';
import { type SandboxLog } from '../sandbox-log';
import { type WorkEntry } from './intent';
import { messageSchema, type Order, type Report } from './protocol';
import { type Scenario } from './scenario';
import { type WorkBook } from './work-book';

/** Longer than any scenario; a process that is still there then has gone wrong. */
const LONGEST_LIFE_MS = 15 * 60_000;
const PROGRAM = fileURLToPath(new URL('./run-automation.ts', import.meta.url));

/** One process of an automation. */
export interface Run {
  /** It has said its first word, or has ended. */
  begun: Promise<void>;
  ended: Promise<void>;
}

export interface SupervisorOptions {
  /** What every child is told; the supervisor adds the job. */
  base: Omit<Order, 'job' | 'workflowId' | 'seed' | 'producers'>;
  /** Tenant and token of each principal. */
  producers: Record<string, { tenant: string; token: string }>;
  book: WorkBook;
  journal: Journal<WorkEntry>;
  log: SandboxLog;
}

/** Starts automations as processes of their own, writes down what they report, and kills them where it is planned. */
export class Supervisor {
  private readonly children = new Set<ChildProcess>();
  private stopping = false;

  constructor(private readonly options: SupervisorOptions) {}

  /** Runs one scenario to the end of its process. */
  async start(scenario: Scenario): Promise<{ workflowId: string }> {
    const { workflowId, ended } = this.begin(scenario);
    await ended;
    return { workflowId };
  }

  /** Starts one scenario as a process. */
  begin(scenario: Scenario): Run & { workflowId: string } {
    const workflowId = `${scenario.name}-${randomBytes(6).toString('hex')}`;
    if (scenario.kind !== null) {
      this.keep({ type: 'run', at: new Date().toISOString(), scenario: scenario.name, workflowId });
    }
    // A SQL producer has no token; it acts for the tenant of its login.
    const principal = scenario.principal === 'north-sql' ? 'north-automation' : scenario.principal;
    return { workflowId, ...this.launch(scenario.name, workflowId, [principal], scenario.killAt) };
  }

  /** Starts the automation that finishes what people allow. */
  startExecutor(): Run {
    return this.launch('executor', 'executor', Object.keys(this.options.producers));
  }

  /** Ends all automations. They are outsiders: nothing of the ledger depends on how they end. */
  async stop(): Promise<void> {
    this.stopping = true;
    const ended = [...this.children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.children) child.kill('SIGTERM');
    await Promise.all(ended);
  }

  private launch(job: string, workflowId: string, principals: string[], killAt?: Scenario['killAt']): Run {
    if (this.stopping) throw new Error('bug: an automation was started while stopping');
    const { base, log, producers } = this.options;
    const child = fork(PROGRAM, {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.children.add(child);
    const about = { system: 'automation', operation: job, pid: child.pid ?? null } as const;
    log.write({ ...about, event: 'started', note: workflowId });
    const order: Order = {
      ...base,
      job,
      workflowId,
      seed: randomInt(1_000_000),
      producers: principals.flatMap((principal) => {
        const producer = producers[principal];
        return producer === undefined ? [] : [{ principal, ...producer }];
      }),
    };
    child.on('error', (error) => console.error(`sandbox ${job}: ${error.message}`));
    child.send(order);
    child.on('message', (raw) => {
      const { number, report } = messageSchema.parse(raw);
      this.writeDown(report, job, child.pid ?? null);
      if (isDeadly(report, killAt)) this.kill(child, job, report);
      else if (child.connected) child.send({ go: number });
    });
    const overdue = job === 'executor' ? undefined : setTimeout(() => child.kill('SIGKILL'), LONGEST_LIFE_MS);
    const begun = new Promise<void>((resolve) => {
      child.once('message', () => resolve());
      child.once('exit', () => resolve());
    });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        clearTimeout(overdue);
        this.children.delete(child);
        log.write({
          ...about,
          event: 'ended',
          signal,
          note: signal === null ? `exit code ${code}` : workflowId,
        });
        resolve();
      });
    });
    return { begun, ended };
  }

  private kill(child: ChildProcess, job: string, report: Report & { type: 'step' }): void {
    const { reference, executionId, effectId, point } = report;
    const about = { operation: job, reference, executionId, effectId, pid: child.pid ?? null };
    this.options.log.write({
      system: 'automation',
      event: 'signal',
      signal: 'SIGKILL',
      ...about,
      note: point,
    });
    child.kill('SIGKILL');
  }

  private writeDown(report: Report, job: string, pid: number | null): void {
    if (report.type !== 'step') return this.keep(report);
    const { point, event, operation, note, reference, executionId, effectId } = report;
    const text = note === null ? point : `${point}: ${note}`;
    const about = { operation: job, reference, executionId, effectId, pid, note: `${operation} ${text}` };
    this.options.log.write({ system: 'automation', event, ...about });
  }

  private keep(entry: WorkEntry): void {
    this.options.journal.append(entry);
    this.options.book.apply(entry);
  }
}

function isDeadly(report: Report, killAt: Scenario['killAt']): report is Report & { type: 'step' } {
  return (
    killAt !== undefined &&
    report.type === 'step' &&
    report.point === killAt.point &&
    report.operation === killAt.operation
  );
}
