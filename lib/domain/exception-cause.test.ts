import { expect, it } from 'vitest';
import { readCause } from './exception-cause';

it.each([
  ['TIMEOUT @ crm', { reason: null, code: 'TIMEOUT', system: 'crm' }],
  ['lease-over @ crm @ home', { reason: 'LEASE_OVER', code: 'lease-over', system: 'crm @ home' }],
  ['content-differs', { reason: 'CONTENT_DIFFERS', code: 'content-differs', system: null }],
  ['LEASE_OVER', { reason: null, code: 'LEASE_OVER', system: null }],
])('R-051i reads the cause %s', (cause, parts) => {
  expect(readCause(cause)).toEqual(parts);
});
