import { z } from 'zod';

/**
 * What can go wrong between an automation and an external system.
 * `error-before` and `hang-before` leave no effect; `error-after`, `hang` and `drop-after-commit` leave one that the
 * caller never hears of; `late-arrival` makes it after `seconds`; `visibility-delay` hides it from searches for
 * `seconds`, from its making on; `duplicate` makes it twice, the second time as if by hand.
 */
export const FAULT_KINDS = [
  'delay',
  'error-before',
  'error-after',
  'hang',
  'hang-before',
  'drop-after-commit',
  'duplicate',
  'late-arrival',
  'visibility-delay',
] as const;

export const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  /** Length of a delay, of a late arrival or of invisibility, in seconds. */
  seconds: z.number().min(0).max(86_400).default(0),
});
export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];

const headerPart = /^([a-z-]{1,32})(?:;seconds=(\d{1,5}(?:\.\d{1,3})?))?$/;

/**
 * Reads the header `X-Sandbox-Fault`, for example `visibility-delay;seconds=20, drop-after-commit`.
 * @returns the faults in order, or null when a part is not understood
 */
export function parseFaultHeader(value: string): Fault[] | null {
  const faults: Fault[] = [];
  for (const part of value.split(',')) {
    const match = headerPart.exec(part.trim());
    const parsed = faultSchema.safeParse({ kind: match?.[1], seconds: Number(match?.[2] ?? 0) });
    if (!parsed.success) return null;
    faults.push(parsed.data);
  }
  return faults;
}

/** The header value that `parseFaultHeader` reads back as these faults. */
export function formatFaults(faults: readonly Fault[]): string {
  return faults
    .map((fault) => (fault.seconds > 0 ? `${fault.kind};seconds=${fault.seconds}` : fault.kind))
    .join(', ');
}
