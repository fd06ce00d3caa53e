import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { auditHash, auditPreimage, GENESIS_HASH } from './event-hash.mjs';

type Content = Omit<AuditRecord, 'hash'>;

const base: Content = {
  number: '1',
  eventId: '0199aaaa-0000-7000-8000-000000000001',
  occurredAt: '2026-11-29T17:39:00.000001Z',
  event: 'reissue.approved',
  outcome: 'done',
  refusalCode: null,
  actorKind: 'person',
  actorId: '0199aaaa-0000-7000-8000-00000000000a',
  actorName: '김하나',
  actorRoles: ['OPERATOR', 'APPROVER'],
  tenantId: 'tenant-north',
  exceptionId: null,
  executionId: null,
  approvalRequestId: null,
  operation: 'create-order',
  operationId: null,
  body: '{"amount": 1.10, "big": 9007199254740993}',
  httpRequestId: 'r-1',
  sourceAddress: null,
  previousHash: GENESIS_HASH,
};

const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const optional = fc.option(text, { nil: null });
const content: fc.Arbitrary<Content> = fc.record({
  number: fc.nat().map(String),
  eventId: text,
  occurredAt: text,
  event: text,
  outcome: text,
  refusalCode: optional,
  actorKind: text,
  actorId: text,
  actorName: text,
  actorRoles: fc.array(text, { maxLength: 3 }),
  tenantId: optional,
  exceptionId: optional,
  executionId: optional,
  approvalRequestId: optional,
  operation: optional,
  operationId: optional,
  body: text,
  httpRequestId: text,
  sourceAddress: optional,
  previousHash: fc.constant(GENESIS_HASH),
});

describe('the audit hash', () => {
  it('R-087a AU-11 two different events never have the same preimage', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(auditPreimage(one).equals(auditPreimage(other))).toBe(same);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Partial<Content>, Partial<Content>]>([
    ['text moved over a field border', { event: 'ab', outcome: 'c' }, { event: 'a', outcome: 'bc' }],
    ['null and empty', { operation: null }, { operation: '' }],
    [
      'null in this field and in the next',
      { operation: 'x', operationId: null },
      { operation: null, operationId: 'x' },
    ],
    ['one role and two', { actorRoles: ['AB'] }, { actorRoles: ['A', 'B'] }],
    ['no role and an empty one', { actorRoles: [] }, { actorRoles: [''] }],
    ['the order of roles', { actorRoles: ['A', 'B'] }, { actorRoles: ['B', 'A'] }],
    ['NFC and NFD', { actorName: '각' }, { actorName: '각'.normalize('NFD') }],
    ['1.1 and 1.10', { body: '{"a": 1.1}' }, { body: '{"a": 1.10}' }],
    ['a blank in the JSON text', { body: '{"a":1}' }, { body: '{"a": 1}' }],
    [
      'one microsecond',
      { occurredAt: '2026-11-29T17:39:00.000001Z' },
      { occurredAt: '2026-11-29T17:39:00.000002Z' },
    ],
    ['a text that looks like a length', { event: '\u0001\u0000' }, { event: '\u0001' }],
  ])('R-087a AU-11 %s', (_, one, other) => {
    expect(auditHash({ ...base, ...one })).not.toBe(auditHash({ ...base, ...other }));
  });

  it('R-087a every field counts', () => {
    for (const name of Object.keys(base) as (keyof Content)[]) {
      const changed = name === 'previousHash' ? 'f'.repeat(64) : name === 'actorRoles' ? ['ADMIN'] : 'other';
      expect(auditHash({ ...base, [name]: changed }), name).not.toBe(auditHash(base));
    }
  });

  it('R-087a AU-10 the hash of version 1 is what another implementation computes', () => {
    // Computed with Python's hashlib from the same fields; a change here orphans every stored chain.
    expect(auditHash(base)).toBe('7b61a48447b3408ea9bdd3a646830d39383a43ceecd400844c5c954ff09f4f18');
  });
});
