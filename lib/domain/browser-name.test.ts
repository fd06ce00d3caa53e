import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browserName } from './browser-name';

describe('the browser of a session', () => {
  it('is named as people know it', () => {
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    expect(browserName(firefox)).toEqual({ browser: 'Firefox 140', system: 'Windows' });
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
    expect(browserName(safari)).toEqual({ browser: 'Safari 18', system: 'iOS' });
  });

  it('is not made up', () => {
    expect(browserName(null)).toBeNull();
    expect(browserName('')).toBeNull();
  });

  it('is read from any header without a fault', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const name = browserName(text);
        if (name !== null) expect(name.browser).not.toBe('');
      }),
    );
  });
});
