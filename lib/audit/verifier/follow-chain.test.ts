import { describe, expect, it } from 'vitest';
import { CHAIN_START, followChain, judgeHead, type ChainFault, type ChainPoint } from './follow-chain.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { auditHash } from './event-hash.mjs';

function chain(length: number): AuditRecord[] {
  const records: AuditRecord[] = [];
  let previousHash = CHAIN_START.hash;
  for (let number = 1; number <= length; number += 1) {
    const content = {
      number: String(number),
      eventId: `e${number}`,
      occurredAt: '2026-11-29T17:39:00.000000Z',
      event: 'exception.commented',
      outcome: 'done',
      refusalCode: null,
      actorKind: 'person',
      actorId: 'p',
      actorName: 'P',
      actorRoles: ['OPERATOR'],
      tenantId: null,
      exceptionId: null,
      executionId: null,
      approvalRequestId: null,
      operation: null,
      operationId: null,
      body: `{"n": ${number}}`,
      httpRequestId: 'r',
      sourceAddress: null,
      previousHash,
    };
    previousHash = auditHash(content);
    records.push({ ...content, hash: previousHash });
  }
  return records;
}

function walk(records: readonly AuditRecord[]): { point: ChainPoint; fault: ChainFault | null } {
  let point = CHAIN_START;
  for (const record of records) {
    const step = followChain(point, record);
    if (!step.ok) return { point, fault: step.fault };
    point = step.point;
  }
  return { point, fault: null };
}

const at = (records: readonly AuditRecord[], index: number): AuditRecord => {
  const record = records[index];
  if (!record) throw new Error('bug: no such record');
  return record;
};

describe('following the chain', () => {
  const good = chain(6);

  it('R-087b a whole chain reaches its head', () => {
    const { point, fault } = walk(good);
    expect(fault).toBeNull();
    expect(judgeHead(point, { number: 6n, hash: at(good, 5).hash }, 6n)).toBeNull();
  });

  it.each<[string, (records: AuditRecord[]) => AuditRecord[], ChainFault]>([
    [
      'changed content',
      (r) => r.with(2, { ...at(r, 2), body: '{"n": 4}' }),
      { number: 3n, reason: 'CHANGED' },
    ],
    [
      'changed time',
      (r) => r.with(0, { ...at(r, 0), occurredAt: '2020-01-01T00:00:00.000000Z' }),
      { number: 1n, reason: 'CHANGED' },
    ],
    [
      'changed hash',
      (r) => r.with(3, { ...at(r, 3), hash: '0'.repeat(64) }),
      { number: 4n, reason: 'CHANGED' },
    ],
    ['a removed event', (r) => r.toSpliced(3, 1), { number: 4n, reason: 'MISSING' }],
    ['a removed first event', (r) => r.toSpliced(0, 1), { number: 1n, reason: 'MISSING' }],
    ['a repeated number', (r) => r.toSpliced(2, 0, at(r, 1)), { number: 2n, reason: 'UNEXPECTED' }],
    [
      'a number below one',
      (r) => r.toSpliced(0, 0, { ...at(r, 0), number: '0' }),
      { number: 0n, reason: 'UNEXPECTED' },
    ],
    [
      'a rewritten event with a fitting hash of its own',
      (r) => {
        const forged = { ...at(r, 2), actorName: 'Q' };
        return r.with(2, { ...forged, hash: auditHash(forged) });
      },
      { number: 4n, reason: 'UNLINKED' },
    ],
    [
      'two events that changed places',
      (r) => r.with(1, { ...at(r, 2), number: '2' }).with(2, { ...at(r, 1), number: '3' }),
      { number: 2n, reason: 'CHANGED' },
    ],
  ])('R-087c AU-03 names the first bad number of %s', (_, tamper, expected) => {
    expect(walk(tamper(chain(6))).fault).toEqual(expected);
  });

  it('R-087d a chain cut off before its head is found at the first missing number', () => {
    const { point } = walk(good.slice(0, 4));
    expect(judgeHead(point, { number: 6n, hash: at(good, 5).hash }, 4n)).toEqual({
      number: 5n,
      reason: 'MISSING',
    });
  });

  it('R-087d a head set back, bent or removed is found', () => {
    const { point } = walk(good);
    expect(judgeHead(walk(good.slice(0, 4)).point, { number: 4n, hash: at(good, 3).hash }, 6n)).toEqual({
      number: 5n,
      reason: 'UNEXPECTED',
    });
    expect(judgeHead(point, { number: 6n, hash: '0'.repeat(64) }, 6n)).toEqual({
      number: 6n,
      reason: 'HEAD',
    });
    expect(judgeHead(point, null, 6n)).toEqual({ number: 7n, reason: 'HEAD' });
  });
});
