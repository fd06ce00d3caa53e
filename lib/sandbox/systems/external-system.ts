import { z } from 'zod';

/** What reaches an external system, in the form in which a late arrival is kept on disk. */
export const systemRequestSchema = z.strictObject({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  /** Header `Idempotency-Key`; only the payment service looks at it. */
  requestKey: z.string().nullable(),
  /** Header `X-Reference`; names the intent in the log when the body has no reference. */
  reference: z.string().nullable(),
  body: z.unknown(),
});
export type SystemRequest = z.infer<typeof systemRequestSchema>;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  effectId?: string;
}

/** When an effect happens, when searches show it, and how it came about. */
export interface Moment {
  now: Date;
  visibleAt: Date;
  /** The second of two effects, made by a colleague without the key of the first. */
  byHand: boolean;
  /** Set when this request was under way for long; its effect settles that arrival. */
  arrivalId?: string;
}

export interface Operation {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  /** False for questions: faults that concern an effect do not apply to them. */
  changes: boolean;
  /** The reference inside the request, for the log and for fault rules. */
  reference?: (request: SystemRequest) => string | null;
  handle(request: SystemRequest, moment: Moment): Answer;
}

/** One external system: its operations over a state that `replay` builds from the journal's entries. */
export interface ExternalSystem {
  name: 'crm' | 'mail' | 'payment';
  operations: Operation[];
  /** Builds the state again from one journal line. */
  replay(entry: unknown): void;
}

/** What a system gets: a place to keep each change, and its own address for links. */
export interface SystemContext {
  append(entry: object): void;
  address: string;
}

/** What every kept effect says about its moment. */
export const stampSchema = z.object({
  at: z.string(),
  visibleAt: z.string(),
  byHand: z.boolean(),
  arrivalId: z.string().optional(),
});

export function stampOf(moment: Moment): z.infer<typeof stampSchema> {
  return {
    at: moment.now.toISOString(),
    visibleAt: moment.visibleAt.toISOString(),
    byHand: moment.byHand,
    ...(moment.arrivalId === undefined ? {} : { arrivalId: moment.arrivalId }),
  };
}

export function isVisible(stamp: { visibleAt: string }, now: Date): boolean {
  return new Date(stamp.visibleAt) <= now;
}

export function notFound(what: string): Answer {
  return { status: 404, body: { error: 'not_found', detail: `${what} does not exist` } };
}

export function refuse(detail: string, error = 'invalid_request'): Answer {
  return { status: 422, body: { error, detail } };
}

export function invalid(error: z.ZodError): Answer {
  const issue = error.issues[0];
  return refuse(issue === undefined ? 'invalid body' : `${issue.path.join('.') || 'body'}: ${issue.message}`);
}

/** The id in `/records/{id}`. */
export function idOf(request: SystemRequest): string {
  return decodeURIComponent(request.path.split('/')[2] ?? '');
}

/** A string member of the body, for references. */
export function textIn(body: unknown, name: string): string | null {
  const parsed = z.record(z.string(), z.unknown()).safeParse(body);
  const value = parsed.success ? parsed.data[name] : undefined;
  return typeof value === 'string' ? value : null;
}
