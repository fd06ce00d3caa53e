import { describe, expect, it } from 'vitest';
import { readSavedAddress } from './read-saved-address';

const ID = '0195f2a0-0000-7000-8000-0000000000ef';

describe('what a view keeps of the address', () => {
  it('R-053m filters, order, grouping and columns, as a query without blanks', () => {
    const kept =
      '?kind=UNKNOWN_RESULT,EXPIRED_KEY&cause=TIMEOUT+@+crm&operation=a%26b%23c&assignee=me&sort=-opened&group=cause&columns=kind,work,due';
    const read = readSavedAddress(kept);
    expect(read).toMatchObject({ kind: 'read', tenants: [] });
    if (read.kind !== 'read') return;
    expect(read.address).toMatch(/^\?[^\s#]+$/);
    expect(readSavedAddress(read.address)).toEqual(read);
    const parts = Object.fromEntries(new URLSearchParams(read.address));
    expect(parts).toEqual(Object.fromEntries(new URLSearchParams(kept)));
  });

  it('R-053m neither words searched for nor a place in the list', () => {
    expect(readSavedAddress(`?q=order-1&cursor=abc&open=${ID}&density=compact&tenant=tenant-north`)).toEqual({
      kind: 'read',
      address: '?tenant=tenant-north',
      tenants: ['tenant-north'],
    });
    expect(readSavedAddress('')).toEqual({ kind: 'read', address: '', tenants: [] });
  });

  it.each([
    ['?colour=red', ['colour']],
    ['?constructor=1&kind=UNCLAIMED', ['constructor']],
    ['?due=soon&kind=BOGUS', ['kind', 'due']],
    ['?kind=UNCLAIMED&kind=EXPIRED_KEY', ['kind']],
    ['?columns=kind,work,kind', ['columns']],
    ['?columns=due', ['columns']],
  ])('R-053m nothing that the queue does not understand: %s', (query, names) => {
    expect(readSavedAddress(query)).toEqual({ kind: 'misread', names });
  });
});
