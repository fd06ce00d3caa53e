import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import type { CallDocument, HeaderName } from './call-documents';
import { EXAMPLES, problemExample } from './document-examples';
import type { AnswerDocument } from './document-form';
import type { AnswerName, JsonSchema } from './document-schemas';

/** Problems that every call with a token may have. */
const COMMON: readonly ProblemCode[] = [
  'INVALID_REQUEST',
  'UNAUTHENTICATED',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'DATABASE_UNAVAILABLE',
];
const OF_BODIES: readonly ProblemCode[] = ['PAYLOAD_TOO_LARGE', 'UNPROCESSABLE'];

export const HEADERS: Readonly<Record<HeaderName, object>> = {
  Location: { description: 'Where the execution can be read.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Whole seconds, at least 1; only where the same request may succeed by waiting.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Preference-Applied': { description: 'RFC 7240.', schema: { const: 'respond-async' } },
  'Idempotency-Replayed': { description: 'The answer of an earlier run.', schema: { const: 'true' } },
  'Onceover-Execution': {
    description: 'The execution that the answer is about.',
    schema: { type: 'string' },
  },
  'Onceover-Disposition': {
    description: 'Tells this answer from a stored one.',
    schema: { const: 'RESULT_REUSED' },
  },
};

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function headersOf(names: readonly HeaderName[]): Pick<AnswerDocument, 'headers'> {
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}

export function successes(call: CallDocument): Record<string, AnswerDocument> {
  return Object.fromEntries(
    call.successes.map(({ status, says, bodies, headers = [] }) => [
      String(status),
      {
        description: says,
        ...headersOf(headers),
        content: { 'application/json': bodies.length === 0 ? { schema: { type: 'object' } } : oneOf(bodies) },
      },
    ]),
  );
}

function oneOf(bodies: readonly AnswerName[]): { schema: JsonSchema; examples: object } {
  const [only, ...others] = bodies.map(ref);
  const examples = bodies.map((name) => [name, { value: name === 'Problem' ? {} : EXAMPLES[name] }]);
  return {
    schema: only !== undefined && others.length === 0 ? only : { oneOf: bodies.map(ref) },
    examples: Object.fromEntries(examples) as object,
  };
}

export function problems(call: CallDocument, open: boolean): Record<string, AnswerDocument> {
  const common = open ? (['INTERNAL_ERROR'] as const) : COMMON;
  const codes = [...new Set([...common, ...(call.body === undefined ? [] : OF_BODIES), ...call.problems])];
  const statuses = [...new Set(codes.map((code) => PROBLEM_CODES[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const at = codes.filter((code) => PROBLEM_CODES[code].status === status);
      return [String(status), problemAnswer(at, call.tag === 'Claims')];
    }),
  );
}

function problemAnswer(codes: readonly ProblemCode[], arrival: boolean): AnswerDocument {
  const waits = codes.some((code) => 'retryAfterSeconds' in problemExample(code));
  const of = arrival && codes.some((code) => [409, 410, 503].includes(PROBLEM_CODES[code].status));
  const headers: HeaderName[] = [
    ...(waits ? (['Retry-After'] as const) : []),
    ...(of ? (['Onceover-Execution'] as const) : []),
  ];
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEM_CODES[code].title}.`).join(' '),
    ...headersOf(headers),
    content: {
      'application/problem+json': {
        schema: { allOf: [ref('Problem'), { properties: { code: { enum: [...codes] } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
      },
    },
  };
}

/** Whatever the first run stored: its own status, 200 to 499, in front of which no other answer of this list counts. */
export const REPLAY: Record<string, AnswerDocument> = {
  default: {
    description:
      'A replay: the stored status (200 to 499), body and headers of the first run. With the header `Idempotency-Replayed: true` this is the answer, whatever its status looks like.',
    ...headersOf(['Idempotency-Replayed', 'Onceover-Execution', 'Location']),
    content: { '*/*': { schema: {} } },
  },
};
