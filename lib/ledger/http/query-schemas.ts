import { z } from 'zod';
import { isOperation, keyFault } from '@/lib/domain/keys';
import { name } from './schemas';

/** Rows per page. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be 1 to ${MAX_LIMIT}`)
  .refine((text) => Number(text) <= MAX_LIMIT, `must be 1 to ${MAX_LIMIT}`)
  .transform(Number)
  .default(DEFAULT_LIMIT)
  .meta({ description: `Rows of a page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when absent.`, default: '50' });
const operation = z
  .string('must be given')
  .refine(isOperation, 'must be 1 to 128 visible ASCII characters')
  .meta({ description: 'The kind of work.', pattern: '^[\\x21-\\x7e]{1,128}$' });
const cursor = z
  .string()
  .min(1, 'must not be empty')
  .optional()
  .meta({ description: 'The `nextCursor` of the page before, for the same list and token.' });

export const byKeyQuery = z.strictObject({
  operation,
  key: z
    .string('must be given')
    .refine((key) => keyFault(key, { allowPersonal: true }) === null, 'must be a key')
    .meta({ description: 'The execution key, bare.', pattern: '^[\\x21-\\x7e]{1,255}$' }),
});

export const waitingQuery = z.strictObject({
  state: z
    .enum(['RECEIVED', 'FAILED_RETRYABLE'], 'must be RECEIVED or FAILED_RETRYABLE')
    .meta({ description: 'Work that waits for an executor: never claimed, or free to be tried again.' }),
  reissued: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: 'Only executions that a reissue made, or none of them.' }),
  operation: operation.optional(),
  limit,
  cursor,
});

/** The address form of `/workflows/{id}`, and the only one for ids that no path can hold: `.` and `..`. */
export const workflowQuery = z.strictObject({
  workflowId: name(255).meta({ description: 'The workflow whose steps are asked for.' }),
  limit,
  cursor,
});
