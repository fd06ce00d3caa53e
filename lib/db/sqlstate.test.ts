import { describe, expect, it } from 'vitest';
import { constraintOf, isTransient, isUnreachable, sqlstateOf } from './sqlstate';

const wrapped = (cause: unknown) => new Error('outer', { cause: new Error('middle', { cause }) });

describe('SQLSTATE anywhere in the cause chain', () => {
  it.each<[string, unknown]>([
    ['pg', Object.assign(new Error('x'), { code: '40001' })],
    [
      'Prisma model call',
      { code: 'P2034', meta: { driverAdapterError: { cause: { originalCode: '40001' } } } },
    ],
    [
      'Prisma raw call',
      { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode: '40001', code: '40001' } } } },
    ],
    ['adapter at COMMIT', { name: 'DriverAdapterError', cause: { originalCode: '40001' } }],
    ['deep', wrapped({ originalCode: '40001' })],
    ['aggregate', new AggregateError([new Error('a'), Object.assign(new Error('b'), { code: '40001' })])],
  ])('%s', (_, error) => {
    expect(sqlstateOf(error)).toBe('40001');
    expect(isTransient(error)).toBe(true);
  });

  it('retries deadlocks and lock time-outs too, and nothing else', () => {
    for (const code of ['40P01', '55P03']) expect(isTransient(wrapped({ code }))).toBe(true);
    for (const code of ['P2034', '23505', '57014', '08006', 'ECONNRESET'])
      expect(isTransient(wrapped({ code }))).toBe(false);
  });

  it('takes no Prisma or Node code for a SQLSTATE', () => {
    for (const code of ['P2034', 'P2010', 'P1001', 'EPIPE']) expect(sqlstateOf({ code })).toBeUndefined();
    expect(sqlstateOf({ code: 'P0001' })).toBe('P0001');
    expect(sqlstateOf({ code: 'OA001' })).toBe('OA001');
  });

  it('survives a cycle', () => {
    const error = new Error('x');
    error.cause = error;
    expect(sqlstateOf(error)).toBeUndefined();
  });

  it('names the constraint in both shapes', () => {
    expect(constraintOf(wrapped({ constraint: 'people_email_canonical_key' }))).toBe(
      'people_email_canonical_key',
    );
    expect(constraintOf({ cause: { constraint: { index: 'people_email_canonical_key' } } })).toBe(
      'people_email_canonical_key',
    );
  });

  it('knows a database that cannot be reached', () => {
    for (const code of ['ECONNREFUSED', '57P01', '57P03', '08006', '53300'])
      expect(isUnreachable({ code })).toBe(true);
    expect(isUnreachable(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isUnreachable(new Error('timeout exceeded when trying to connect'))).toBe(true);
    for (const kind of ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'])
      expect(isUnreachable({ code: 'P1001', meta: { driverAdapterError: { cause: { kind } } } })).toBe(true);
    for (const code of ['23505', '40001', '42501']) expect(isUnreachable({ code })).toBe(false);
  });
});
