import { describe, expect, it } from 'vitest';
import { namedCodes } from './audit-titles';

describe('words that the list prints', () => {
  it.each([
    ['Result linked', 'decision.result_linked'],
    ['결과 연결', 'decision.result_linked'],
    ['not applied', 'decision.not_applied_confirmed'],
    ['“Not applied” confirmed', 'decision.not_applied_confirmed'],
    ['“반영 안 됨” 확정', 'decision.not_applied_confirmed'],
    ['New key', 'reissue.executed'],
    ['새 키', 'reissue.executed'],
  ])('R-088i %s means the events of that title, in either language', (text, event) => {
    expect(namedCodes(text).events).toContain(event);
  });

  it('R-088i words for refusals, states, verdicts and parts of the system mean their codes', () => {
    expect(namedCodes('own request').refusals).toContain('SELF_APPROVAL');
    expect(namedCodes('Unclear').codes).toContain('UNCLEAR');
    expect(namedCodes('정기 점검').actors).toEqual(['system:sweep']);
    expect(namedCodes('Correction').codes).toEqual(['CORRECTION']);
  });

  it('R-088i what stands in no title, and a single letter, mean nothing', () => {
    for (const text of ['PAY-4711', 'e', '“', ''])
      expect(namedCodes(text)).toEqual({ events: [], refusals: [], actors: [], codes: [] });
  });
});
