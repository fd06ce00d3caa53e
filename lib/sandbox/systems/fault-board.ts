import { z } from 'zod';
import { faultSchema, type Fault } from './fault';

/** Which calls a fault is for; an absent member matches every call. */
const matchSchema = z.strictObject({
  operation: z.string().optional(),
  reference: z.string().optional(),
});

/** One switched-on fault: for the next `times` matching calls, or for a share of them (`rate`, 0 to 1). */
export const faultRuleSchema = z.strictObject({
  match: matchSchema.default({}),
  fault: faultSchema,
  times: z.number().int().min(1).max(1000).optional(),
  rate: z.number().min(0).max(1).optional(),
});
export type FaultRule = z.infer<typeof faultRuleSchema>;

export interface FaultSubject {
  operation: string;
  reference: string | null;
}

/** The faults that are switched on in one system; a rule with neither times nor rate is for one call. */
export class FaultBoard {
  private rules: (FaultRule & { left: number })[] = [];

  constructor(private readonly random: () => number) {}

  add(rule: FaultRule): void {
    const left = rule.times ?? (rule.rate === undefined ? 1 : Number.POSITIVE_INFINITY);
    this.rules.push({ ...rule, left });
  }

  clear(): void {
    this.rules = [];
  }

  list(): FaultRule[] {
    return this.rules.map(({ match, fault, times, rate }) => ({
      match,
      fault,
      ...(times === undefined ? {} : { times }),
      ...(rate === undefined ? {} : { rate }),
    }));
  }

  /** The faults for this call; one-shot rules are used up by it. */
  take(subject: FaultSubject): Fault[] {
    const hits = this.rules.filter(
      (rule) =>
        (rule.match.operation === undefined || rule.match.operation === subject.operation) &&
        (rule.match.reference === undefined || rule.match.reference === subject.reference) &&
        (rule.rate === undefined || this.random() < rule.rate),
    );
    for (const rule of hits) rule.left -= 1;
    this.rules = this.rules.filter((rule) => rule.left > 0);
    return hits.map((rule) => rule.fault);
  }
}
