import { PROBLEM_CODES, problemType, type ProblemCode } from '@/lib/domain/problem-codes';
import { retryAfterSeconds } from '@/lib/domain/retry-after';
import type { Problem } from '../client/wire';

/** Members of a problem beside those that its code fixes. */
export type ProblemExtras = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code'>> & {
  /** Where the fault lies (400 and 422): the JSON pointer of a member of the body, or the name of a query parameter. */
  readonly errors?: readonly ({ readonly detail: string } & (
    { readonly pointer: string } | { readonly parameter: string }
  ))[];
  /** Names the occurrence in the log; only where the caller can do nothing but ask us. */
  readonly instance?: string;
};

/** A refusal on its way to the caller. Thrown inside the API only, so that each step can end a request. */
export class ProblemError extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly extras: ProblemExtras = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

/** Answers that no cache may keep and no browser may guess the type of. */
export const BASE_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** An RFC 9457 answer. A retry hint is written both ways, as whole seconds of at least 1. */
export function problemResponse(
  code: ProblemCode,
  detail: string,
  extras: ProblemExtras = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, title } = PROBLEM_CODES[code];
  const seconds =
    extras.retryAfterSeconds === undefined ? undefined : retryAfterSeconds(extras.retryAfterSeconds);
  const body = {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    ...extras,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...BASE_HEADERS,
      ...(seconds === undefined ? {} : { 'Retry-After': String(seconds) }),
      ...headers,
    },
  });
}

export function jsonResponse(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...BASE_HEADERS, ...headers },
  });
}
