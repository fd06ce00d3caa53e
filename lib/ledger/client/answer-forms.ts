import { isClaimingDisposition } from '../../domain/dispositions';
import { isProblemCode } from '../../domain/problem-codes';
import { isExecutionState } from '../../domain/states';
import type {
  ClaimedBody,
  EffectStartedExecution,
  Execution,
  ExecutionPage,
  KeylessAnswer,
  Problem,
} from './wire';

// Written by hand and not with the server's zod schemas: the client needs nothing but fetch. `Form` holds them to
// `wire.ts`, and a test holds both to what the API really answers.

type Check = (value: unknown) => boolean;
/** One check for each member, none left out. Members that are not known here are let through: a newer ledger may tell more. */
type Form<T> = { readonly [Member in keyof T]-?: Check };
export type Reader<T> = (value: unknown) => value is T;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
/** Whatever JSON it is: it is passed on, and nothing here rests on it. */
const anything: Check = () => true;
const id: Check = (value) => typeof value === 'string' && UUID.test(value);
const token: Check = (value) => typeof value === 'string' && /^\d{1,40}$/.test(value);
const instant: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

function reader<T>(form: Form<T>): Reader<T> {
  const checks = Object.entries<Check>(form);
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([member, check]) => check((value as Record<string, unknown>)[member]));
}

const isTarget = reader<NonNullable<Execution['target']>>({ system: text, account: text });

const EXECUTION: Form<Execution> = {
  executionId: id,
  operation: text,
  key: text,
  state: isExecutionState,
  stateSince: instant,
  attempt: whole,
  fencingToken: token,
  owner: orNull(text),
  leaseExpiresAt: orNull(instant),
  effectStartedAt: orNull(instant),
  fingerprint: text,
  contentVersion: orNull(text),
  requestId: orNull(text),
  workflowId: orNull(text),
  step: orNull(text),
  target: orNull(isTarget),
  businessRef: orNull(text),
  externalRequestKey: orNull(text),
  // Told since they exist; an older ledger says nothing of them.
  externalJobId: optional(orNull(text)),
  progress: anything,
  resultId: orNull(text),
  resultUrl: orNull(text),
  supersededBy: orNull(id),
  reissueOf: orNull(id),
  underReview: flag,
  nextCheckAt: orNull(instant),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: orNull(instant),
};

export const isExecution = reader(EXECUTION);
/** Only this lets an effect begin, so it has to say that it has begun. */
export const isEffectStarted = reader<EffectStartedExecution>({
  ...EXECUTION,
  state: (value) => value === 'PROCESSING',
  effectStartedAt: instant,
  sendBefore: instant,
});
export const isExecutionPage = reader<ExecutionPage>({
  items: (value) => Array.isArray(value) && value.every(isExecution),
  nextCursor: orNull(text),
});
export const isClaimedBody = reader<ClaimedBody>({
  disposition: isClaimingDisposition,
  executionId: id,
  fencingToken: token,
  attempt: whole,
  leaseExpiresAt: instant,
});
export const isResultReused = reader<{ resultId: string | null; resultUrl: string | null }>({
  resultId: orNull(text),
  resultUrl: orNull(text),
});
export const isKeylessAnswer = reader<KeylessAnswer>({
  intakeId: id,
  disposition: (value) => value === 'KEY_MISSING',
});
export const isProblem = reader<Problem>({
  type: text,
  title: text,
  status: whole,
  detail: text,
  code: isProblemCode,
  executionId: optional(id),
  state: optional(text),
  failureCode: optional(orNull(text)),
  conflictingFields: optional((value) => Array.isArray(value) && value.every(text)),
  retryAfterSeconds: optional((value) => whole(value) && (value as number) >= 1),
  underReview: optional(flag),
  nextCheckAt: optional(orNull(instant)),
  newKey: optional(text),
  newExecutionId: optional(id),
  resultId: optional(orNull(text)),
  resultUrl: optional(orNull(text)),
  owner: optional(orNull(text)),
  since: optional(orNull(instant)),
  progress: anything,
});

/** An answer about another execution or claim than the one asked for is no answer. */
export const about =
  <T extends Execution>(executionId: string, isForm: Reader<T>, fencingToken?: string): Reader<T> =>
  (value): value is T =>
    isForm(value) &&
    value.executionId.toLowerCase() === executionId.toLowerCase() &&
    (fencingToken === undefined || value.fencingToken === fencingToken);

/** As a header names it. */
export const isExecutionId = (value: string | null): value is string => id(value);
