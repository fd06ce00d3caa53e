import { describe, expect, it } from 'vitest';
import { chosenLocale, chosenTheme, chosenZone } from './preferences';

describe('preferences read from cookies', () => {
  it('R-097g a chosen language wins over the browser, anything else does not', () => {
    expect(chosenLocale('ko', 'en')).toBe('ko');
    expect(chosenLocale(undefined, 'ko-KR')).toBe('ko');
    expect(chosenLocale('../../etc/passwd', 'en')).toBe('en');
  });

  it('R-097h a time zone that the runtime does not know becomes UTC', () => {
    expect(chosenZone('Asia/Seoul')).toBe('Asia/Seoul');
    expect(chosenZone('Asia%2FSeoul')).toBe('Asia/Seoul');
    expect(chosenZone(undefined)).toBe('UTC');
    expect(chosenZone('Mars/Olympus')).toBe('UTC');
    expect(chosenZone('%E0%A4%A')).toBe('UTC');
    expect(chosenZone('A'.repeat(5_000))).toBe('UTC');
  });

  it('takes the system theme for a value that is none', () => {
    expect(chosenTheme('dark')).toBe('dark');
    expect(chosenTheme('neon')).toBe('system');
    expect(chosenTheme(undefined)).toBe('system');
  });
});
