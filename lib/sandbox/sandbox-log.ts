import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/**
 * One line of `DATA_DIR/sandbox/log.jsonl`: one call, fault or process signal. From an exception's key or result id a
 * reader finds here what caused it.
 */
const sandboxEventSchema = z.strictObject({
  /** RFC 3339 UTC, by the sandbox's clock. */
  at: z.string(),
  system: z.enum(['crm', 'mail', 'payment', 'automation']),
  /** The system's operation (`create-record`) or the automation's scenario. */
  operation: z.string(),
  event: z.enum([
    'call',
    'late-arrival',
    'started',
    'ended',
    'signal',
    'time-out',
    'step',
    'refused',
    'failed',
  ]),
  /** The execution key, which every call passes on as its external reference. */
  reference: z.string().nullable(),
  executionId: z.string().nullable(),
  fault: z.string().nullable(),
  effectId: z.string().nullable(),
  /** HTTP status that was sent; null when the caller got no answer. */
  status: z.number().int().nullable(),
  signal: z.string().nullable(),
  pid: z.number().int().nullable(),
  note: z.string().nullable(),
});
export type SandboxEvent = z.infer<typeof sandboxEventSchema>;

type Given = Pick<SandboxEvent, 'system' | 'operation' | 'event'> & Partial<SandboxEvent>;
export interface SandboxLog {
  write(event: Given): void;
}

/** 16 MiB: some weeks of calm traffic; then one older file is kept beside the present one. */
const ROTATE_BYTES = 16 * 1024 * 1024;

export function openSandboxLog(dataDir: string, clock: () => Date = () => new Date()): SandboxLog {
  const file = sandboxLogFile(dataDir);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return {
    write(given) {
      const event: SandboxEvent = {
        at: clock().toISOString(),
        reference: null,
        executionId: null,
        fault: null,
        effectId: null,
        status: null,
        signal: null,
        pid: null,
        note: null,
        ...given,
      };
      rotate(file);
      fs.appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
    },
  };
}

function sandboxLogFile(dataDir: string): string {
  return path.join(dataDir, 'sandbox', 'log.jsonl');
}

/** All readable lines, oldest first; a half-written last line is left out. */
export function readSandboxLog(dataDir: string): SandboxEvent[] {
  const file = sandboxLogFile(dataDir);
  if (!fs.existsSync(file)) return [];
  const text = fs.readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => sandboxEventSchema.parse(JSON.parse(line)));
}

function rotate(file: string): void {
  if (!fs.existsSync(file) || fs.statSync(file).size < ROTATE_BYTES) return;
  fs.renameSync(file, file.replace(/\.jsonl$/, '.1.jsonl'));
}
