import { type ComponentProps } from 'react';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { CATALOGUE } from '@/lib/domain/messages/catalogue';
import { LOCALES } from '@/lib/domain/messages/locales';
import { render } from '@/lib/testing/render';
import { TableAddress } from '../data-table/table-address';
import { AuditTable } from './audit-table';

const record = (number: string, change: Partial<AuditRecord> = {}): AuditRecord => ({
  ...{
    number,
    eventId: `event-${number}`,
    occurredAt: '2026-11-29T17:39:00.000000Z',
    hash: '',
    previousHash: '',
  },
  ...{ event: 'people.rights_changed', outcome: 'done', refusalCode: null, tenantId: null, operation: null },
  ...{
    actorKind: 'person',
    actorId: 'p-1',
    actorName: 'Ada',
    actorRoles: [],
    httpRequestId: 'r',
    sourceAddress: null,
  },
  ...{ exceptionId: null, executionId: null, approvalRequestId: null, operationId: null, texts: null },
  body: '{"reason":"They moved."}',
  ...change,
});

const table = (rows: AuditRecord[], subjects: ComponentProps<typeof AuditTable>['subjects'] = {}) => (
  <TableAddress>
    <AuditTable rows={rows} names={{}} subjects={subjects} me="p-2" defaultSort="-number" empty={null} />
  </TableAddress>
);

describe('the audit as a list', () => {
  it.each(LOCALES)(
    'R-088a shows a row that cannot be read by its number, and every other one, in %s',
    (locale) => {
      const broken = record('41', { body: 'z"reason":"They moved."}' });
      const timeless = record('42', { occurredAt: 'infinity' });
      const html = render(table([broken, timeless, record('43')]), locale);
      for (const number of ['41', '42', '43']) expect(html).toContain(`/audit/${number}`);
      expect(html.split(CATALOGUE[locale].audit.unreadableEvent)).toHaveLength(2);
      expect(html).toContain('They moved.');
    },
  );

  it('R-088b what an act is about is told whole: an operation’s name is not cut inside a word', () => {
    const html = render(table([record('44', { operation: 'register-monthly-report' })]));
    expect(html).toContain('>register-monthly-report<');
  });

  it('R-088ab matters of one operation are told apart by reference or key, and by the amount where one is told', () => {
    const row = (number: string, executionId: string, body = '{}') =>
      record(number, { operation: 'create-payment', executionId, body });
    const stake = '{"stakeAmount": "100000", "stakeCurrency": "KRW"}';
    const html = render(
      table([row('1', 'a', stake), row('2', 'b')], {
        a: { businessRef: 'order/4711', key: 'key-a' },
        b: { businessRef: null, key: 'key-b' },
      }),
    );
    expect(html).toMatch(/order\/4711.*₩100,000.*key-b/);
    expect(html).not.toContain('key-a');
  });

  it('R-088ab two people with the same initials are told apart', () => {
    const html = render(
      table([record('1', { actorName: 'Ada Approver' }), record('2', { actorName: 'Axel Approver' })]),
    );
    expect(html).toMatch(/>Ad<.*>Ax</);
  });
});
