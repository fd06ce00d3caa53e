import { describe, expect, it } from 'vitest';
import { ageThen, lookAgreement, type KeptLook } from './kept-look';

const look = { digest: 'd1', checkedAt: '2026-11-30T00:00:00.500000Z' } as KeptLook;
const recorded = (body: object, texts: object | null = null) => ({
  body: JSON.stringify({ evidenceDigest: 'd1', ...body }),
  texts: texts as never,
});

describe('a look beside the event that recorded it', () => {
  it('R-086j its digest is the chain’s, or it is not what was recorded', () => {
    expect(lookAgreement(look, recorded({}))).toBe('AGREES');
    expect(lookAgreement({ ...look, digest: 'd2' }, recorded({}))).toBe('DIFFERS');
    expect(lookAgreement(look, { body: 'no object', texts: null })).toBe('DIFFERS');
  });

  it('R-086j erased words of it are said to be the cause, words that still stand are none', () => {
    const other = { ...look, digest: 'd2' };
    const body = { commitments: { seen: 'aa' } };
    expect(lookAgreement(other, recorded(body))).toBe('ERASED');
    expect(lookAgreement(other, recorded(body, { seen: { value: 'PAY-1', salt: '' } }))).toBe('DIFFERS');
  });

  it('R-086j is as old as it was when the act was recorded', () => {
    expect(ageThen(look, { occurredAt: '2026-11-30T00:00:20.750000Z' })).toBe(20_250);
    expect(ageThen(look, { occurredAt: '2026-11-29T23:59:59.000000Z' })).toBe(0);
  });
});
