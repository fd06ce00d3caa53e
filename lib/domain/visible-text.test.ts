import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank, visibleRuns, visibleText } from './visible-text';

describe('text shown with visible escapes', () => {
  it('R-014a a text that shows nothing is blank, one with any visible character is not', () => {
    for (const text of ['', ' ', '\t\n', '\u00a0\u2003', '\u200b\ufeff', '\u3164', '\u{e0041}'])
      expect(isBlank(text), JSON.stringify(text)).toBe(true);
    for (const text of ['0', ' a ', '\u200b.', '주문', '\u{1f600}']) expect(isBlank(text)).toBe(false);
  });

  it.each([
    ['a null byte', 'a\u0000b', 'a\\u{0}b'],
    ['an escape character of a terminal', '\u001b[31m', '\\u{1B}[31m'],
    ['delete', 'a\u007f', 'a\\u{7F}'],
    ['a C1 control', 'a\u0085b', 'a\\u{85}b'],
    ['tab and line ends', 'a\tb\r\nc', 'a\\tb\\r\\nc'],
  ])('R-009a %s is shown as an escape', (_name, stored, shown) => {
    expect(visibleText(stored)).toBe(shown);
  });

  it.each([
    ['right-to-left override', '\u202e'],
    ['left-to-right isolate', '\u2066'],
    ['pop isolate', '\u2069'],
    ['right-to-left mark', '\u200f'],
    ['Arabic letter mark', '\u061c'],
  ])('R-009b the bidirectional character %s is shown as an escape', (_name, character) => {
    expect(visibleRuns(`order-${character}321`)).toEqual([
      { text: 'order-', escapeOf: null },
      {
        text: `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`,
        escapeOf: expect.stringMatching(/^U\+[0-9A-F]{4}$/),
      },
      { text: '321', escapeOf: null },
    ]);
  });

  it.each([
    ['zero-width space', '\u200b'],
    ['zero-width joiner', '\u200d'],
    ['byte order mark', '\ufeff'],
    ['word joiner', '\u2060'],
    ['soft hyphen', '\u00ad'],
    ['no-break space', '\u00a0'],
    ['Hangul filler', '\u3164'],
    ['half-width Hangul filler', '\uffa0'],
    ['braille blank', '\u2800'],
    ['variation selector', '\ufe0f'],
    ['tag letter', '\u{e0041}'],
    ['line separator', '\u2028'],
    ['lone surrogate', '\ud800'],
  ])('R-009c the invisible character %s is shown as an escape', (_name, character) => {
    expect(visibleRuns(`a${character}b`).map(({ escapeOf }) => escapeOf !== null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(visibleText(`a${character}b`)).not.toContain(character);
  });

  it('R-009d blanks at the ends are shown, blanks inside stay', () => {
    expect(visibleText(' a b  ')).toBe('␠a b␠␠');
    expect(visibleText('   ')).toBe('␠␠␠');
    expect(visibleRuns('a b')).toHaveLength(1);
  });

  it('R-009e ordinary Korean, English and symbols are shown exactly as stored', () => {
    for (const stored of [
      '주문-2026-0001',
      'order:42/receipt?x=1#y',
      '₩12,000 결제',
      'naïve 漢字 ü ✓',
      '👍',
    ]) {
      expect(visibleRuns(stored)).toEqual([{ text: stored, escapeOf: null }]);
    }
    expect(visibleRuns('')).toEqual([]);
  });

  it('R-009f line breaks can be kept for paragraphs, other controls cannot', () => {
    const shown = visibleRuns('first\nsecond\u0007', { keepLineBreaks: true });
    expect(shown).toEqual([
      { text: 'first\nsecond', escapeOf: null },
      { text: '\\u{7}', escapeOf: 'U+0007' },
    ]);
  });

  it('R-009g nothing stored is lost and nothing invisible gets through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (stored) => {
        const runs = visibleRuns(stored);
        const restored = runs
          .map((run) =>
            run.escapeOf === null ? run.text : String.fromCodePoint(parseInt(run.escapeOf.slice(2), 16)),
          )
          .join('');
        expect(restored).toBe(stored);
        expect(runs.map((run) => run.text).join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });
});
