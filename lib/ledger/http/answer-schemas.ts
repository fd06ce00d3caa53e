import { z } from 'zod';
import { CLAIMING_DISPOSITIONS } from '@/lib/domain/dispositions';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { EXECUTION_STATES } from '@/lib/domain/states';
import type {
  ClaimedBody,
  EffectStartedExecution,
  Execution,
  ExecutionPage,
  JsonValue,
  KeylessAnswer,
  Problem,
} from '../client/wire';

// The shapes of `client/wire.ts` as the document shows them. `satisfies` holds the two together; a test holds them to
// what the API really answers.

const text = z.string();
const absent = text.nullable();
const instant = z.string().meta({ format: 'date-time' });
const id = z.string().meta({ format: 'uuid' });
const token = z
  .string()
  .meta({ pattern: '^\\d+$', description: 'A decimal number; it grows with each claim.' });
const state = z.enum(EXECUTION_STATES);
const json = z.custom<JsonValue>(() => true);

export const execution = z.object({
  executionId: id,
  operation: text,
  key: text,
  state,
  stateSince: instant,
  attempt: z.int().describe('Number of the present or last attempt; 0 before the first.'),
  fencingToken: token,
  owner: absent,
  leaseExpiresAt: instant.nullable(),
  effectStartedAt: instant.nullable(),
  fingerprint: text.meta({ pattern: '^sha256:[0-9a-f]{64}$' }),
  contentVersion: absent,
  requestId: absent,
  workflowId: absent,
  step: absent,
  target: z.object({ system: text, account: text }).nullable(),
  businessRef: absent,
  externalRequestKey: absent,
  externalJobId: absent.describe('The outside system’s own number of the job, as the owner last said.'),
  progress: json.describe(
    'How far the work is, any JSON, as the owner last said; null when it said nothing.',
  ),
  resultId: absent,
  resultUrl: absent,
  supersededBy: id.nullable().describe('The execution that took this one’s place.'),
  reissueOf: id.nullable().describe('The execution whose place this one took.'),
  underReview: z.boolean().describe('Whether people are settling something in its lineage.'),
  nextCheckAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant.nullable(),
}) satisfies z.ZodType<Execution>;

export const effectStarted = execution.extend({
  sendBefore: instant.describe('Until when the outside call may be sent.'),
}) satisfies z.ZodType<EffectStartedExecution>;

export const executionPage = z.object({
  items: z.array(execution),
  nextCursor: absent.describe('Opaque; null on the last page.'),
}) satisfies z.ZodType<ExecutionPage>;

export const claimed = z.object({
  disposition: z.enum(CLAIMING_DISPOSITIONS),
  executionId: id,
  fencingToken: token,
  attempt: z.int(),
  leaseExpiresAt: instant,
}) satisfies z.ZodType<ClaimedBody>;

export const resultReused = z.object({
  disposition: z.literal('RESULT_REUSED'),
  executionId: id,
  resultId: absent,
  resultUrl: absent,
});

export const unprotected = z.object({ disposition: z.literal('KEY_MISSING'), unprotected: z.literal(true) });

export const duplicateHeld = z.object({
  disposition: z.literal('DUPLICATE_HELD'),
  executionId: id,
  retryAfterSeconds: z.int().min(1),
  owner: absent,
  since: instant.nullable(),
  progress: json,
});

export const keylessRecorded = z.object({
  intakeId: id,
  disposition: z.literal('KEY_MISSING'),
}) satisfies z.ZodType<KeylessAnswer>;

export const problem = z.object({
  type: text.describe('A stable identifier of the code, no address.'),
  title: text,
  status: z.int(),
  detail: text,
  code: z.enum(Object.keys(PROBLEM_CODES) as [ProblemCode, ...ProblemCode[]]),
  executionId: id.optional(),
  state: state.optional(),
  failureCode: absent.optional(),
  conflictingFields: z
    .array(text)
    .optional()
    .describe(
      'JSON pointers of payload fields; `payload`, `contentVersion`, `target.system`, `target.account`.',
    ),
  retryAfterSeconds: z.int().min(1).optional().describe('The same number as the header Retry-After.'),
  underReview: z.boolean().optional(),
  nextCheckAt: instant.nullable().optional(),
  newKey: text.optional(),
  newExecutionId: id.optional(),
  resultId: absent.optional(),
  resultUrl: absent.optional(),
  owner: absent.optional(),
  since: instant.nullable().optional(),
  progress: json.optional(),
  errors: z
    .array(z.object({ pointer: text.optional(), parameter: text.optional(), detail: text }))
    .optional()
    .describe(
      'Where the fault lies: `pointer`, the JSON pointer of a member of the body, or `parameter`, the name of a query parameter.',
    ),
  instance: text.optional().describe('Names the occurrence in the log.'),
}) satisfies z.ZodType<Problem>;
