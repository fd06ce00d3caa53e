import { expect, it } from 'vitest';
import { isProblemCode, PROBLEM_CODES, problemType, type ProblemCode } from './problem-codes';

const codes = Object.keys(PROBLEM_CODES) as ProblemCode[];

it('R-018c every code has one status, one title and one type', () => {
  expect(new Set(codes.map(problemType)).size).toBe(codes.length);
  expect(new Set(codes.map((code) => PROBLEM_CODES[code].title)).size).toBe(codes.length);
  for (const code of codes) {
    expect(problemType(code)).toMatch(/^urn:problem-type:onceover:[a-z-]+$/);
    expect(PROBLEM_CODES[code].status).toBeGreaterThanOrEqual(400);
  }
});

it('R-018c B-85 of the conflicts only those that pass by themselves are retryable', () => {
  const retryable = codes.filter(
    (code) => PROBLEM_CODES[code].status === 409 && PROBLEM_CODES[code].retryable,
  );
  expect(retryable).toEqual(['REQUEST_IN_PROGRESS', 'REQUEST_STATUS_UNCONFIRMED', 'SINGLE_EXECUTOR_BUSY']);
});

it('R-025 a word that is no code is not taken for one', () => {
  expect(isProblemCode('FENCED')).toBe(true);
  for (const word of ['fenced', 'toString', '__proto__', '', null, 5])
    expect(isProblemCode(word)).toBe(false);
});
