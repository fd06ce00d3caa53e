import { describe, expect, it } from 'vitest';
import { readExecutionsAddress, writeExecutionsAddress } from './search-params';

const given = (query: string) => Object.fromEntries(new URLSearchParams(query));

describe('the address of the executions', () => {
  it('shows the same again', () => {
    const state = {
      state: ['UNKNOWN', 'FAILED_FINAL'] as const,
      operation: ['create-payment', 'a,b'],
      tenant: ['tenant-north'],
      q: 'order 1&2',
      sort: 'created',
      cursor: 'Ab-_9',
      density: 'compact',
    } as const;
    const query = writeExecutionsAddress({
      ...state,
      state: [...state.state],
      operation: [...state.operation],
      tenant: [...state.tenant],
    });
    expect(readExecutionsAddress(given(query))).toMatchObject({ kind: 'read', address: state });
  });

  it('BI-06 names what it does not understand instead of widening the filter', () => {
    expect(readExecutionsAddress(given('state=DONE'))).toEqual({ kind: 'misread', names: ['state'] });
    expect(readExecutionsAddress(given('state=&sort=key'))).toEqual({
      kind: 'misread',
      names: ['state', 'sort'],
    });
    expect(readExecutionsAddress({ q: ['a', 'b'] })).toEqual({ kind: 'misread', names: ['q'] });
  });
});
