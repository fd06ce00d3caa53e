import { expect, it } from 'vitest';
import { emptinessOf } from './emptiness';

it('R-088g a list that is empty says whether it was a text that nothing holds, a filter, or a search not at its end', () => {
  const of = (narrowed: boolean, text: boolean, soFar: boolean) =>
    emptinessOf({ narrowed, text, soFar }).title;
  expect(of(true, true, true)).toBe('empty.soFar');
  expect(of(true, true, false)).toBe('empty.text');
  expect(of(true, false, false)).toBe('empty.title');
  expect(of(false, false, false)).toBe('empty.none');
});
