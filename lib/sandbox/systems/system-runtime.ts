import path from 'node:path';
import { z } from 'zod';
import { openJournal, type Journal } from '../journal';
import { type SandboxLog } from '../sandbox-log';
import { Arrivals } from './arrivals';
import {
  type Answer,
  type ExternalSystem,
  type Operation,
  type SystemContext,
  type SystemRequest,
} from './external-system';
import { formatFaults, type Fault, type FaultKind } from './fault';

/** What the transport must do with a handled request. Without an `answer` the caller never gets one. */
export interface Outcome {
  answer: Answer | null;
  /** How the caller is left without an answer: connection destroyed, or open and silent. */
  silence: 'dropped' | 'hung' | null;
}

export interface RuntimeOptions {
  create: (context: SystemContext) => ExternalSystem;
  dataDir: string;
  address: string;
  log: SandboxLog;
  clock: () => Date;
}

/** One system with its state on disk, its requests under way, and its faults. Knows nothing of HTTP. */
export class SystemRuntime {
  readonly system: ExternalSystem;
  private readonly journal: Journal<unknown>;
  private readonly arrivals = new Arrivals();
  private readonly options: RuntimeOptions;

  constructor(options: RuntimeOptions) {
    this.options = options;
    this.system = options.create({ address: options.address, append: (entry) => this.journal.append(entry) });
    this.journal = openJournal<unknown>({
      file: path.join(options.dataDir, 'sandbox', `${this.system.name}.jsonl`),
      parse: (value) => z.object({ type: z.string() }).loose().parse(value),
      replay: (entry) => {
        if (!this.arrivals.replay(entry)) this.replayEffect(entry);
      },
    });
  }

  find(request: SystemRequest): Operation | undefined {
    return this.system.operations.find(
      (operation) => operation.method === request.method && operation.path.test(request.path),
    );
  }

  referenceOf(operation: Operation, request: SystemRequest): string | null {
    return operation.reference?.(request) ?? request.reference;
  }

  /** Handles one request under the given faults and writes its line into the log. */
  handle(operation: Operation, request: SystemRequest, faults: readonly Fault[]): Outcome {
    this.settleArrivals();
    const outcome = this.outcomeOf(operation, request, faults);
    this.options.log.write({
      system: this.system.name,
      operation: operation.name,
      event: 'call',
      reference: this.referenceOf(operation, request),
      fault: faults.length === 0 ? null : formatFaults(faults),
      effectId: outcome.effectId,
      status: outcome.silence === null ? outcome.answer.status : null,
      note: outcome.note,
    });
    return { answer: outcome.silence === null ? outcome.answer : null, silence: outcome.silence };
  }

  /** One thing by its address, as it is now: no call of an automation, so no fault meets it and no line is logged. */
  readThing(path: string): Answer | null {
    const request = { method: 'GET', path, query: {}, requestKey: null, reference: null, body: null };
    const operation = this.find(request);
    if (operation === undefined || !operation.name.startsWith('read-')) return null;
    this.settleArrivals();
    const now = this.options.clock();
    return operation.handle(request, { now, visibleAt: now, byHand: false });
  }

  /** Lets every request that is due by now reach the system. Safe to call at any time. */
  settleArrivals(): void {
    for (const arrival of this.arrivals.takeDue(this.options.clock())) {
      const operation = this.find(arrival.request);
      if (operation === undefined) throw new Error(`bug: arrival for unknown operation ${arrival.operation}`);
      const now = new Date(arrival.dueAt);
      const visibleAt = new Date(now.getTime() + arrival.hiddenSeconds * 1000);
      const { arrivalId } = arrival;
      const answer = operation.handle(arrival.request, { now, visibleAt, byHand: false, arrivalId });
      // A refused arrival left no effect behind that could settle it.
      if (answer.effectId === undefined) this.journal.append({ type: 'arrived', arrivalId });
      this.options.log.write({
        system: this.system.name,
        operation: operation.name,
        event: 'late-arrival',
        reference: this.referenceOf(operation, arrival.request),
        fault: 'late-arrival',
        effectId: answer.effectId ?? null,
      });
    }
  }

  close(): void {
    this.journal.close();
  }

  private replayEffect(entry: unknown): void {
    const arrived = z.object({ type: z.literal('arrived') }).safeParse(entry);
    if (!arrived.success) this.system.replay(entry);
  }

  private outcomeOf(operation: Operation, request: SystemRequest, faults: readonly Fault[]) {
    const now = this.options.clock();
    const fault = (kind: FaultKind): Fault | undefined => faults.find((given) => given.kind === kind);
    const failure: Answer = {
      status: 500,
      body: { error: 'internal', detail: 'the sandbox was told to fail' },
    };
    if (fault('hang-before') !== undefined) return silent(failure, 'hung', null, 'no effect');
    if (fault('error-before') !== undefined) return answered(failure, null, 'no effect');
    const late = operation.changes ? fault('late-arrival') : undefined;
    const hiddenSeconds = fault('visibility-delay')?.seconds ?? 0;
    if (late !== undefined) {
      const dueAt = new Date(now.getTime() + late.seconds * 1000);
      this.journal.append(this.arrivals.add({ operation: operation.name, request, dueAt, hiddenSeconds }));
      return silent(failure, 'dropped', null, `arrives at ${dueAt.toISOString()}`);
    }
    const moment = { now, visibleAt: new Date(now.getTime() + hiddenSeconds * 1000), byHand: false };
    const answer = operation.handle(request, moment);
    const effectId = answer.effectId ?? null;
    const twice = operation.changes && fault('duplicate') !== undefined && effectId !== null;
    const twin = twice ? operation.handle(request, { ...moment, byHand: true }).effectId : undefined;
    const note = twin === undefined ? null : `entered again by hand as ${twin}`;
    if (fault('drop-after-commit') !== undefined) return silent(answer, 'dropped', effectId, note);
    if (fault('hang') !== undefined) return silent(answer, 'hung', effectId, note);
    if (fault('error-after') !== undefined) return answered(failure, effectId, note);
    return answered(answer, effectId, note);
  }
}

function answered(answer: Answer, effectId: string | null, note: string | null) {
  return { answer, silence: null, effectId, note };
}

function silent(answer: Answer, silence: 'dropped' | 'hung', effectId: string | null, note: string | null) {
  return { answer, silence, effectId, note };
}
