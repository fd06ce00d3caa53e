import { describe, expect, it } from 'vitest';
import { hasLookAlikes } from './look-alikes';

describe('text that can be read as another', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', 'p\u0430yment-4711'],
    ['a Greek letter in a Latin word', 'c\u03bfm'],
    ['a word of Cyrillic letters that all look Latin', '\u0440\u0430\u0443'],
    ['full-width letters', 'ｐａｙ'],
    ['full-width digits', 'order-１００'],
    ['mathematical letters', '𝗽𝗮𝘆'],
    ['a ligature that stands for two letters', 'ﬁnal'],
    ['an accent apart from its letter', 'cafe\u0301'],
    ['a Korean syllable in its parts', '\u1112\u1161\u11ab'],
  ])('R-009h AU-14 is noticed: %s', (_, text) => {
    expect(hasLookAlikes(text)).toBe(true);
  });

  it.each([
    'payment-4711',
    '결제 A-1 order',
    '注文 3 件',
    'Größe naïve',
    'Платёж отклонён',
    'Π = 3.14',
    '½ · №',
  ])('R-009h ordinary text is not: %s', (text) => {
    expect(hasLookAlikes(text)).toBe(false);
  });
});
