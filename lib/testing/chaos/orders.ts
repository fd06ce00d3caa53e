// What the parent tells its processes, and what they write down.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Fault } from '@/lib/sandbox/systems/fault';
import type { SystemsAccess } from '@/lib/sandbox/automations/protocol';
import type { OperationName, Payload } from '@/lib/sandbox/automations/intent';
import type { Arm } from './points';
import type { Copy } from './plan';

/** One intent as one automation sends it. */
export interface Errand {
  /** Distinguishes the senders of one key. */
  readonly id: string;
  readonly operation: OperationName;
  readonly key: string;
  readonly workflowId: string;
  readonly payload: Payload;
  readonly account: string;
  readonly system: string;
  /** What the outside system does with the first call. */
  readonly faults: readonly Fault[];
  readonly delayMs: number;
  readonly strike: Copy['strike'];
  /** Nothing is tried again: what is in doubt stays so. */
  readonly once: boolean;
}

export interface AutomationOrder {
  readonly name: string;
  readonly serverUrls: readonly string[];
  readonly token: string;
  readonly systems: SystemsAccess;
  readonly notebook: string;
  /** Milliseconds by which this process's clock is wrong. */
  readonly skewMs: number;
}

export interface OperatorOrder {
  readonly databaseUrl: string;
  readonly operatorId: string;
  readonly approverId: string;
  /** Of both, by their ids: they have signed in before. */
  readonly sessions: Readonly<Record<string, string>>;
  readonly notebook: string;
}

/** Parent to any child. */
export interface Instruction {
  readonly arms?: readonly Arm[];
  readonly errands?: readonly Errand[];
}

const line = z.discriminatedUnion('type', [
  /** Made and kept before the first send. */
  z.strictObject({ type: z.literal('attempt'), errand: z.string(), attemptId: z.string() }),
  z.strictObject({ type: z.literal('effect'), errand: z.string() }),
  z.strictObject({ type: z.literal('moved'), errand: z.string(), key: z.string() }),
  z.strictObject({
    type: z.literal('outcome'),
    errand: z.string(),
    key: z.string(),
    kind: z.string(),
    resultId: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('done'), errand: z.string() }),
  z.strictObject({
    type: z.literal('call'),
    /** Written before the call and after it: the later line counts, and a killed caller leaves the earlier. */
    id: z.string(),
    key: z.string(),
    process: z.string(),
    call: z.string(),
    invokedAt: z.number(),
    returnedAt: z.number().nullable(),
    code: z.string().nullable(),
    disposition: z.string().nullable(),
    state: z.string().nullable(),
    token: z.string().nullable(),
    resultId: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal('decision'),
    decision: z.string(),
    key: z.string().nullable(),
    operationId: z.string(),
    invokedAt: z.number(),
    returnedAt: z.number().nullable(),
    /** Null while it is not known. */
    outcome: z.string().nullable(),
  }),
]);
export type NotebookLine = z.infer<typeof line>;

/** Milliseconds of the machine's one monotonic clock, the same for all its processes. */
export const monotonic = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/** One write per line: a kill leaves whole lines behind. */
export function note(notebook: string, entry: NotebookLine): void {
  appendFileSync(notebook, `${JSON.stringify(entry)}\n`);
}

/** @param about only lines that hold one of these texts */
export function readNotebook(notebook: string, about: readonly string[] = ['']): NotebookLine[] {
  if (!existsSync(notebook)) return [];
  const text = readFileSync(notebook, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((each) => each !== '' && about.some((text) => each.includes(text)))
    .map((each) => line.parse(JSON.parse(each)));
}
