import { describe, expect, it } from 'vitest';
import { readAuditEvent } from './audit-told';

const told = (event: string, body: object) =>
  readAuditEvent({ event, body: JSON.stringify(body), texts: null }).details;
const verdictOf = (body: object, event = 'lookup.recorded') =>
  told(event, body).find(({ name }) => name === 'verdict');

const NOT_FOUND = { lookupId: 'L1', outcome: 'NOT_FOUND', verdict: 'NOT_APPLIED' };
const FROM = '2026-11-30T08:05:00.000000Z';
const EARLY = { checkedAt: '2026-11-30T08:04:59.999999Z', provesFrom: FROM, conclusive: false };
const LATE = { checkedAt: '2026-11-30T09:00:00.000000Z', provesFrom: FROM, conclusive: false };

describe('a look, as it was judged when it was recorded', () => {
  it('R-086f before its horizon "not found" proves nothing, and until when is told', () => {
    expect(verdictOf({ ...NOT_FOUND, ...EARLY })).toEqual({
      ...{ name: 'verdict', values: ['NOT_FOUND_TOO_EARLY'], at: FROM },
    });
    expect(verdictOf({ ...NOT_FOUND, ...EARLY, outcome: 'FOUND' })).toMatchObject({
      values: ['NO_EFFECT_TOO_EARLY'],
    });
  });

  it('R-086f after the memory of the outside system it proves nothing any more', () => {
    expect(verdictOf({ ...NOT_FOUND, ...LATE })).toEqual({ name: 'verdict', values: ['NOT_FOUND_TOO_LATE'] });
  });

  it('R-086f inside it the verdict is told as it was', () => {
    const body = { ...NOT_FOUND, ...LATE, conclusive: true };
    expect(verdictOf(body)).toEqual({ name: 'verdict', values: ['NOT_APPLIED'] });
    expect(verdictOf({ ...body, verdict: 'UNCLEAR', conclusive: false })).toMatchObject({
      values: ['UNCLEAR'],
    });
  });

  it.each(['lookup.recorded', 'evidence.recorded'])(
    'R-086f an event of %s from before is not told as proof',
    (event) => {
      expect(verdictOf(NOT_FOUND, event)).toMatchObject({ values: ['NOT_FOUND_UNTOLD'] });
      expect(verdictOf({ ...NOT_FOUND, outcome: 'FOUND' }, event)).toMatchObject({
        values: ['NO_EFFECT_UNTOLD'],
      });
    },
  );

  it('R-086f what was refused, and verdicts of other events, stay as they are', () => {
    expect(verdictOf({ verdict: 'NOT_APPLIED' }, 'evidence.recorded')).toMatchObject({
      values: ['NOT_APPLIED'],
    });
    expect(verdictOf(NOT_FOUND, 'decision.extended')).toMatchObject({ values: ['NOT_APPLIED'] });
  });
});

describe('a decision, by what the person had before them', () => {
  const nameOf = (event: string, body: object) =>
    told(event, body).find(({ values }) => values[0] === 'L2')?.name;

  it('R-086g a look that was made after the press is named as that', () => {
    const shown = { evidenceId: 'L2', shownEvidenceId: 'L1' };
    expect(nameOf('decision.result_linked', shown)).toBe('evidenceOnDeciding');
    expect(nameOf('decision.result_linked', { evidenceId: 'L2', shownEvidenceId: 'L2' })).toBe('evidenceId');
    expect(nameOf('decision.result_linked', { evidenceId: 'L2' })).toBe('evidenceId');
  });

  it('R-086g the one on which a new key was made came after the approval', () => {
    expect(nameOf('reissue.executed', { evidenceId: 'L2' })).toBe('evidenceAfterApproval');
  });

  it('R-086h amounts stand with their currency', () => {
    const exposure = { originalAmount: '188000', originalCurrency: 'KRW', newAmount: '5', newCurrency: null };
    expect(told('reissue.approved', { exposure })).toEqual([
      { name: 'originalAmount', values: ['188000'], currency: 'KRW' },
      { name: 'newAmount', values: ['5'], currency: null },
    ]);
  });

  it('R-088aa that a look proved something says what it proved', () => {
    const proof = (verdict: string) =>
      told('lookup.recorded', { lookupId: 'L', verdict, conclusive: true }).map(({ name }) => name);
    expect(proof('APPLIED')).toContain('conclusiveApplied');
    expect(proof('NOT_APPLIED')).toContain('conclusiveNotApplied');
    expect(proof('UNCLEAR')).toContain('conclusive');
  });
});
