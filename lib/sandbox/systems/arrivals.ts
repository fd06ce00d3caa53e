import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { systemRequestSchema } from './external-system';

/** A request that is still under way: it reaches the system at `dueAt`, also when the process was killed meanwhile. */
const arrivalSchema = z.strictObject({
  type: z.literal('arrival'),
  arrivalId: z.string(),
  operation: z.string(),
  dueAt: z.string(),
  /** For how long searches do not show what it makes. */
  hiddenSeconds: z.number().min(0).default(0),
  request: systemRequestSchema,
});
export type Arrival = z.infer<typeof arrivalSchema>;

const settledSchema = z.object({ arrivalId: z.string() });

/** Keeps the requests under way. An effect that names an arrival settles it, so no kill can make it happen twice. */
export class Arrivals {
  private readonly waiting = new Map<string, Arrival>();

  /** Takes one journal entry; true when it was an arrival and nothing else needs to see it. */
  replay(entry: unknown): boolean {
    const arrival = arrivalSchema.safeParse(entry);
    if (arrival.success) {
      this.waiting.set(arrival.data.arrivalId, arrival.data);
      return true;
    }
    const settled = settledSchema.safeParse(entry);
    if (settled.success) this.waiting.delete(settled.data.arrivalId);
    return false;
  }

  add(given: Pick<Arrival, 'operation' | 'request' | 'hiddenSeconds'> & { dueAt: Date }): Arrival {
    const { dueAt, ...rest } = given;
    const arrivalId = randomUUID();
    const arrival: Arrival = { type: 'arrival', arrivalId, ...rest, dueAt: dueAt.toISOString() };
    this.waiting.set(arrivalId, arrival);
    return arrival;
  }

  /** Removes and returns what has arrived by now, earliest first. */
  takeDue(now: Date): Arrival[] {
    const due = [...this.waiting.values()].filter((arrival) => new Date(arrival.dueAt) <= now);
    for (const arrival of due) this.waiting.delete(arrival.arrivalId);
    return due.sort((a, b) => a.dueAt.localeCompare(b.dueAt));
  }
}
