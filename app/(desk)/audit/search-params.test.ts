import { describe, expect, it } from 'vitest';
import { auditAddress, filterOf, loadAuditAddress, type AuditAddress } from './search-params';

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
  since: '2026-11-28T15:00:00.000Z',
  until: '2026-11-29T15:00:00.000Z',
  scope: 'words',
  sort: 'number',
  cursor: 'abc_-',
};
const read = (query: string) => loadAuditAddress(new URLSearchParams(query));

describe('the address of the audit', () => {
  it('R-088a keeps every filter there and back', () => {
    expect(read(auditAddress(full))).toEqual(full);
    expect(auditAddress(read(''))).toBe('');
  });

  it.each([
    'event=made.up&outcome=perhaps&sort=body',
    "execution=1' or '1'='1&exception=%00&request=0199AAAA-0000-7000-8000-0000000000A1",
    'since=yesterday&until=2026-13-45T99:00:00Z',
    'q=%00&person=%00&operation=%00',
    `q=${'x'.repeat(301)}`,
  ])('ignores what it cannot be: %s', (query) => {
    expect(filterOf(read(query))).toEqual(filterOf(read('')));
  });
});
