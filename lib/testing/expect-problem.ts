import { expect } from 'vitest';
import { problemType, type ProblemCode } from '@/lib/domain/problem-codes';
import type { ApiAnswer } from './producer-api';

/** That an answer is this RFC 9457 problem, whole and uncached. */
export function expectProblem(answer: ApiAnswer, status: number, code: ProblemCode): void {
  expect(answer.body, answer.text).toMatchObject({ status, code, type: problemType(code) });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(typeof answer.body['title']).toBe('string');
  expect(typeof answer.body['detail']).toBe('string');
  // The title says what kind it is; a detail that only repeats it helps nobody (RFC 9457, 3.1).
  expect(bare(answer.body['detail'])).not.toBe(bare(answer.body['title']));
}

const bare = (words: unknown) => String(words).replace(/\W/g, '').toLowerCase();
