import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { PROBLEM_CODES, type ProblemCode } from '@/lib/domain/problem-codes';
import { guardServer, PROBLEMS, refusalOf } from './front-door.mjs';

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

it.each([
  ['headers', 'POST /api/v1/executions HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST /api/v1/executions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"a'],
])('R-018e 408 for %s that never come whole', async (_, half) => {
  const limits = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 };
  const server = http.createServer(limits, (request) => request.on('error', () => undefined).resume());
  guardServer(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(half));
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  await once(socket, 'close');
  server.close();
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('"code":"REQUEST_TIMEOUT"');
});
