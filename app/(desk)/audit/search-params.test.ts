import { describe, expect, it } from 'vitest';
import { auditAddress, filterOf, readAuditAddress, type AuditAddress } from './search-params';

const full: AuditAddress = {
  q: '주문, "a&b" 100%',
  event: ['reissue.approved', 'access.denied'],
  outcome: ['refused'],
  person: 'system:worker',
  operation: ['create-order.v2', 'a,b'],
  tenant: ['tenant-north'],
  execution: '0199aaaa-0000-7000-8000-0000000000c1',
  exception: '0199aaaa-0000-7000-8000-0000000000e1',
  request: '0199aaaa-0000-7000-8000-0000000000a1',
  story: '96',
  since: '2026-11-28T15:00:00.000Z',
  until: '2026-11-29T15:00:00.000Z',
  scope: 'words',
  searches: 'shown',
  sort: 'number',
  cursor: 'abc_-',
};
const read = (query: string) => readAuditAddress(Object.fromEntries(new URLSearchParams(query)));

describe('the address of the audit', () => {
  it('R-088a keeps every filter there and back', () => {
    expect(read(auditAddress(full))).toEqual({ kind: 'read', address: full });
    const bare = read('');
    expect(bare.kind === 'read' && auditAddress(bare.address)).toBe('');
  });

  it('R-088k leaves searches out unless the address asks for them', () => {
    const filter = (query: string) => {
      const answer = read(query);
      return answer.kind === 'read' ? filterOf(answer.address).hidden : 'misread';
    };
    expect(filter('')).toBe('searches');
    expect(filter('searches=shown')).toBeNull();
  });

  it.each([
    ['event=made.up&outcome=perhaps&sort=body', 'event outcome sort'],
    [
      "execution=1' or '1'='1&exception=%00&request=0199AAAA-0000-7000-8000-0000000000A1",
      'execution exception request',
    ],
    ['since=yesterday&until=2026-13-45T99:00:00Z', 'since until'],
    ['since=2026-02-30T00:00:00Z&until=0000-01-01T00:00:00Z', 'since until'],
    ['since=2026-11-30', 'since'],
    ['event=reissue.approved,bogus', 'event'],
    ['q=%00&person=%00&operation=%00', 'q person operation'],
    [`q=${'x'.repeat(301)}`, 'q'],
  ])('BI-06 BI-11 names what it cannot be, and drops nothing: %s', (query, names) => {
    const answer = read(query);
    expect(answer.kind === 'misread' && answer.names.toSorted()).toEqual(names.split(' ').toSorted());
  });
});
