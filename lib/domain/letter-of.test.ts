import { describe, expect, it } from 'vitest';
import { letterOf } from './letter-of';

const press = (key: string, more: Partial<Parameters<typeof letterOf>[0]> = {}) => ({
  key,
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...more,
});

describe('keys of one letter', () => {
  it('R-047c are letters by themselves', () => {
    expect(['j', 'J', '/', '?'].map((key) => letterOf(press(key)))).toEqual(['j', 'j', '/', '?']);
    for (const key of ['Enter', 'Escape', ' ', 'F1', 'Process', 'Unidentified'])
      expect(letterOf(press(key))).toBeNull();
    for (const held of ['altKey', 'ctrlKey', 'metaKey'] as const)
      expect(letterOf(press('j', { [held]: true }))).toBeNull();
  });

  it('R-047c go by their place while the Korean layout is on, and never while a syllable is composed', () => {
    expect(letterOf(press('ㅓ', { code: 'KeyJ' }))).toBe('j');
    expect(letterOf(press('ㅎ', { code: 'KeyG' }))).toBe('g');
    expect(letterOf(press('ㅓ', { code: 'KeyJ', isComposing: true }))).toBeNull();
    expect(letterOf(press('j', { code: 'KeyJ', isComposing: true }))).toBeNull();
    expect(letterOf(press('Process', { code: 'KeyJ', isComposing: true }))).toBeNull();
  });

  it('R-047c leave alone what something else has answered', () => {
    expect(letterOf(press('j', { defaultPrevented: true }))).toBeNull();
  });
});
