import { expect, it } from 'vitest';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { PROBLEMS, refusalOf } from './front-door.mjs';

it('R-018c the door before the server uses the words of the codes', () => {
  for (const [code, problem] of Object.entries(PROBLEMS)) {
    expect(PROBLEM_CODES[code as ProblemCode]).toMatchObject(problem);
  }
});

it.each([
  ['/api/v1/workflows/wf%201?limit=2', 'GET', null],
  ['/api/v1/workflows/%EB%A9%94%EC%9D%BC', 'GET', null],
  ['http://ledger.test/api/v1/executions', 'POST', null],
  ['/api/v1/workflows/%ff', 'GET', 'INVALID_REQUEST'],
  ['/api/v1/workflows/%', 'GET', 'INVALID_REQUEST'],
  ['/api/v1/executions?operation=o&key=%zz', 'GET', 'INVALID_REQUEST'],
  ['/api/v1//executions', 'POST', 'NOT_FOUND'],
  ['/api\\v1/executions', 'POST', 'NOT_FOUND'],
  ['/api/v1/executions', 'TRACE', 'METHOD_NOT_ALLOWED'],
  ['/api/v1/executions', 'PURGE', 'METHOD_NOT_ALLOWED'],
  ['*', 'OPTIONS', 'INVALID_REQUEST'],
  ['http://[/', 'GET', 'INVALID_REQUEST'],
  // Pages have a way of their own to say so.
  ['/executions/%ff', 'GET', null],
  ['/queue//', 'GET', null],
])('R-018e %s by %s: %s', (url, method, code) => {
  expect(refusalOf({ method, url, headers: { host: 'ledger.test' } })?.code ?? null).toBe(code);
});

it.each([undefined, '', 'a b', 'user@host', 'host/path', '[::1'])('R-018e the host %j is refused', (host) => {
  expect(refusalOf({ url: '/', headers: { host } })?.code).toBe('INVALID_REQUEST');
});
