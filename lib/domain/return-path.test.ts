import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PATH, returnPath } from './return-path';

const ORIGIN = 'https://desk.example:8443';

describe('the address to return to after signing in', () => {
  it.each([
    ['/queue?kind=UNKNOWN_RESULT&sort=age', '/queue?kind=UNKNOWN_RESULT&sort=age'],
    ['/exceptions/0199#evidence', '/exceptions/0199#evidence'],
    [`${ORIGIN}/approvals`, '/approvals'],
    ['/queue?q=%EC%A3%BC%EB%AC%B8', '/queue?q=%EC%A3%BC%EB%AC%B8'],
  ])('AN-10 %s is kept', (wanted, path) => {
    expect(returnPath(wanted, ORIGIN)).toBe(path);
  });

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    'https:evil.example',
    'https://evil.example/queue',
    'http://desk.example:8443/queue',
    'https://desk.example/queue',
    'https://desk.example:8444/queue',
    'https://desk.example:8443.evil.example/',
    'https://desk.example:8443@evil.example/',
    'https://user@desk.example:8443/queue',
    'https://xdesk.example:8443/queue',
    'javascript:alert(1)',
    'data:text/html,x',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000/queue',
    ' /queue',
    '/.//evil.example',
    '/queue/..//evil.example',
    'queue',
    '?next=1',
    '/api/auth/signout',
    '/_next/static/x',
    '',
    null,
    undefined,
    `/${'a'.repeat(8_192)}`,
  ])('AN-10 %j becomes the default page', (wanted) => {
    expect(returnPath(wanted, ORIGIN)).toBe(DEFAULT_PATH);
  });

  it('AN-10 whatever is asked for, a browser stays on the canonical origin', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '/',
        '\\',
        ':',
        '@',
        '.',
        '%2f',
        '\t',
        'evil',
        'https',
        ORIGIN,
        '?',
        '#',
        '\u3002',
        '／',
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const path = returnPath(parts.join(''), ORIGIN);
        expect(path.startsWith('/')).toBe(true);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
        expect(new URL(ORIGIN + path).origin).toBe(ORIGIN);
      }),
    );
  });
});
