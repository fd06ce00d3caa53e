import { goSchema, orderSchema, type Order, type Report } from './protocol';

export interface StepDetail {
  operation: string;
  reference?: string | null;
  executionId?: string | null;
  effectId?: string | null;
  note?: string | null;
  event?: 'step' | 'refused' | 'time-out' | 'failed';
}

/** How an automation's process speaks with its supervisor. */
export interface Reporter {
  /** Resolves when the supervisor has written it down; at a dangerous point the process may be killed meanwhile. */
  report(report: Report): Promise<void>;
  step(point: string, detail: StepDetail): Promise<void>;
}

/** Talks over the channel that `fork` made. Ends the process when the supervisor is gone. */
export async function connectToSupervisor(): Promise<{ order: Order; reporter: Reporter }> {
  const { send } = process;
  if (send === undefined) throw new Error('an automation is started by the sandbox, not by hand');
  const waiting = new Map<number, () => void>();
  let count = 0;
  process.once('disconnect', () => process.exit(0));
  const order = await new Promise<Order>((resolve) => {
    process.once('message', (message) => resolve(orderSchema.parse(message)));
  });
  process.on('message', (message) => {
    const { go } = goSchema.parse(message);
    waiting.get(go)?.();
    waiting.delete(go);
  });
  const report = (given: Report): Promise<void> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      send.call(process, { number: count, report: given });
    });
  return { order, reporter: { report, step: (point, detail) => report(stepReport(point, detail)) } };
}

function stepReport(point: string, detail: StepDetail): Report {
  const {
    operation,
    reference = null,
    executionId = null,
    effectId = null,
    note = null,
    event = 'step',
  } = detail;
  return { type: 'step', point, event, operation, reference, executionId, effectId, note };
}
