import { describe, expect, it } from 'vitest';
import {
  EXTERNAL_STATUSES,
  isLinkable,
  judgeFinding,
  LOOKUP_OUTCOMES,
  PROOFS,
  type ExternalStatus,
  type Finding,
  type Proof,
  type Verdict,
} from './lookup-verdict';

const found = (externalStatus: ExternalStatus | null, valueFound: Finding['valueFound'] = null): Finding => ({
  outcome: 'FOUND',
  externalStatus,
  valueFound,
});
const nothing: Finding = { outcome: 'NOT_FOUND', externalStatus: null, valueFound: null };

describe('judgeFinding', () => {
  const table: [Proof, Finding, Verdict][] = [
    ['PRESENCE', found('done'), 'APPLIED'],
    ['PRESENCE', found('pending'), 'UNDER_WAY'],
    ['PRESENCE', found('failed'), 'NOT_APPLIED'],
    ['PRESENCE', found('reversed'), 'UNCLEAR'],
    ['PRESENCE', nothing, 'NOT_APPLIED'],
    ['ABSENCE', found('done'), 'NOT_APPLIED'],
    ['ABSENCE', found('pending'), 'UNDER_WAY'],
    ['ABSENCE', found('failed'), 'UNCLEAR'],
    ['ABSENCE', found('reversed'), 'APPLIED'],
    ['ABSENCE', nothing, 'APPLIED'],
    ['VALUE', found('done', 'WANTED'), 'APPLIED'],
    ['VALUE', found('done', 'BEFORE'), 'NOT_APPLIED'],
    ['VALUE', found('done', 'OTHER'), 'UNCLEAR'],
    ['VALUE', found('pending', 'WANTED'), 'UNDER_WAY'],
    ['VALUE', found('failed', 'BEFORE'), 'UNCLEAR'],
    ['VALUE', found('reversed', 'WANTED'), 'UNCLEAR'],
    ['VALUE', found('done'), 'UNCLEAR'],
    ['VALUE', nothing, 'UNCLEAR'],
  ];
  it.each(table)('R-058a proof by %s: %o is %s', (proof, finding, verdict) => {
    expect(judgeFinding(proof, finding)).toBe(verdict);
  });

  it('R-058b what could not be asked or read is never "not found", whatever the proof', () => {
    for (const proof of PROOFS) {
      for (const outcome of ['INACCESSIBLE', 'INCONCLUSIVE', 'MULTIPLE', 'MISMATCH'] as const) {
        for (const externalStatus of [null, ...EXTERNAL_STATUSES]) {
          expect(judgeFinding(proof, { outcome, externalStatus, valueFound: 'WANTED' })).toBe('UNCLEAR');
        }
      }
    }
  });

  it('R-058c B-97 a word that the connector does not list is unclear, never applied and never failed', () => {
    for (const proof of PROOFS) expect(judgeFinding(proof, found(null, 'WANTED'))).toBe('UNCLEAR');
  });
});

describe('isLinkable', () => {
  it('R-058d only a result that the outside system calls done can be linked', () => {
    const linkable: string[] = [];
    for (const outcome of LOOKUP_OUTCOMES) {
      for (const externalStatus of [null, ...EXTERNAL_STATUSES]) {
        const finding: Finding = { outcome, externalStatus, valueFound: null };
        const verdict = judgeFinding('PRESENCE', finding);
        if (isLinkable('PRESENCE', { ...finding, verdict, resultId: 'CRM-1' }))
          linkable.push(`${outcome} ${externalStatus}`);
      }
    }
    expect(linkable).toEqual(['FOUND done']);
    // Not even with a verdict that somebody else put on it.
    for (const status of ['pending', 'failed', 'reversed', null] as const) {
      expect(isLinkable('PRESENCE', { ...found(status), verdict: 'APPLIED', resultId: 'CRM-1' })).toBe(false);
    }
  });

  it('R-058e a present result without an id cannot be linked; a proven deletion needs none', () => {
    expect(isLinkable('PRESENCE', { ...found('done'), verdict: 'APPLIED', resultId: null })).toBe(false);
    expect(isLinkable('ABSENCE', { ...nothing, verdict: 'APPLIED', resultId: null })).toBe(true);
    expect(isLinkable('ABSENCE', { ...found('done'), verdict: 'NOT_APPLIED', resultId: 'CRM-1' })).toBe(
      false,
    );
  });
});
