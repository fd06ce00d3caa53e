import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tallyOf } from './bulk-acts';
import { bulkLinkStanding, isConclusive, type BulkLinkSubject } from './bulk-link';
import type { CommandAnswer } from './command-answer';
import { EXCEPTION_KINDS } from './exception-kinds';

const look = {
  lookupId: 'look-1',
  executionVersion: '3',
  byPerson: false,
  lookedBy: 'system:worker',
  outcome: 'FOUND',
  externalStatus: 'done',
  verdict: 'APPLIED',
  resultId: 'PAY-1',
  accountMatch: true,
  contentMatch: true,
  checkedAt: '2026-11-30T10:00:00Z',
  usableFrom: '2026-11-30T09:00:00Z',
  usableUntil: null,
} as const;

const subject: BulkLinkSubject = {
  kind: 'UNKNOWN_RESULT',
  state: 'OPEN',
  rights: { roles: ['OPERATOR'], authorities: ['money'], tenantIds: ['tenant-north'] },
  authority: 'money',
  policy: { evidenceMaxAgeSeconds: 600, resultIdRequired: true, proof: 'PRESENCE', hasConnector: true },
  execution: { version: '3', state: 'UNKNOWN', superseded: false, resultId: null, attemptsLeft: false },
  lookups: [look],
  now: new Date('2026-11-30T10:01:00Z'),
};

describe('what can be linked with others', () => {
  it('R-053c one finished result that the outside system itself showed, account and content agreeing', () => {
    expect(isConclusive(look)).toBe(true);
    expect(bulkLinkStanding(subject)).toMatchObject({ refusal: null, evidenceId: 'look-1' });
  });

  it.each([
    { byPerson: true },
    { outcome: 'NOT_FOUND' },
    { verdict: 'UNDER_WAY' },
    { resultId: null },
    { accountMatch: null },
    { contentMatch: null },
  ] as const)('R-053c but not with %o', (change) => {
    expect(isConclusive({ ...look, ...change })).toBe(false);
  });

  it.each([
    [{ state: 'CLOSED' }, 'EXCEPTION_CLOSED'],
    [{ kind: 'CONTENT_CONFLICT' }, 'DECISION_NOT_FOR_KIND'],
    [{ rights: { ...subject.rights, roles: ['MANAGER'] } }, 'ROLE_MISSING'],
    [{ rights: { ...subject.rights, authorities: [] } }, 'AUTHORITY_MISSING'],
    [{ execution: { ...subject.execution!, state: 'SUCCEEDED' } }, 'STATE_NOT_SUITABLE'],
    [{ execution: { ...subject.execution!, superseded: true } }, 'STATE_NOT_SUITABLE'],
    [{ lookups: [] }, 'EVIDENCE_MISSING'],
    [{ lookups: [{ ...look, accountMatch: false }] }, 'EVIDENCE_DOES_NOT_MATCH'],
    [{ lookups: [{ ...look, byPerson: true }] }, 'NOT_CONCLUSIVE'],
  ] as const)('R-053c says what stands in the way: %o is %s', (change, refusal) => {
    expect(bulkLinkStanding({ ...subject, ...(change as Partial<BulkLinkSubject>) }).refusal).toBe(refusal);
  });

  it('R-053c only kinds whose result can be linked take part', () => {
    const linkable = EXCEPTION_KINDS.filter(
      (kind) => bulkLinkStanding({ ...subject, kind }).refusal === null,
    );
    expect([...linkable].sort()).toEqual([
      'EXPIRED_KEY',
      'MISSING_RESULT_ID',
      'STUCK_PROCESSING',
      'UNKNOWN_RESULT',
    ]);
  });
});

it('R-053a each row of a batch counts in exactly one figure', () => {
  const answers: readonly (CommandAnswer | null)[] = [
    null,
    { outcome: 'unknown' },
    { outcome: 'done', repeated: false },
    { outcome: 'requested', repeated: false, requestId: 'r' },
    { outcome: 'refused', code: 'NOT_FOUND' },
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...answers)), (rows) => {
      const { done, refused, unknown, waiting } = tallyOf(rows);
      expect(done + refused + unknown + waiting).toBe(rows.length);
      expect(waiting).toBe(rows.filter((row) => row === null).length);
    }),
  );
});
