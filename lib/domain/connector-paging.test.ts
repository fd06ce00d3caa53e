import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPage, pagingSchema, type PageSeen } from './connector-paging';

const base = 'https://api.example.com/v1';
const first = 'https://api.example.com/v1/payments?q=a%20b&limit=2';
const page = (change: Partial<PageSeen> = {}): PageSeen => ({
  body: {},
  items: [{ id: 'P-1' }, { id: 'P-2' }],
  link: null,
  more: null,
  ...change,
});
const next = (paging: object, change: Partial<PageSeen> = {}, asked: readonly string[] = [first]) =>
  nextPage(pagingSchema.parse(paging), base, asked, page(change));
const byBody = (address: unknown, change: Partial<PageSeen> = {}) =>
  next({ by: 'next', at: '/next' }, { body: { next: address }, ...change });

describe('nextPage', () => {
  it('R-058q follows the address that the answer holds, whole or relative, and ends without one', () => {
    expect(byBody('https://api.example.com/v1/payments?page=2')).toEqual({
      url: 'https://api.example.com/v1/payments?page=2',
    });
    expect(byBody('/v1/payments?page=2')).toEqual({ url: 'https://api.example.com/v1/payments?page=2' });
    expect(byBody('?page=2')).toEqual({ url: 'https://api.example.com/v1/payments?page=2' });
    for (const end of [null, undefined, '', false]) expect(byBody(end)).toBe('END');
    expect(byBody('?page=2', { more: false })).toBe('END');
    expect(byBody(null, { more: true })).toBe('LOST');
    expect(byBody({ href: '?page=2' })).toBe('LOST');
  });

  it('R-058q reads the Link header', () => {
    const link = (header: string | null) => next({ by: 'link' }, { link: header });
    const second = { url: 'https://api.example.com/v1/payments?page=2' };
    expect(
      link(
        '<https://api.example.com/v1/payments?page=2>; rel="next", <https://api.example.com/v1/payments?page=9>; rel="last"',
      ),
    ).toEqual(second);
    expect(
      link('<https://api.example.com/v1/p>; rel=prev,\t<?page=2>; title="a, b"; rel="last next"'),
    ).toEqual(second);
    for (const end of [null, '', '<https://api.example.com/v1/p>; rel="prev"']) expect(link(end)).toBe('END');
    for (const broken of ['x', '<?page=2>; rel="prev" y', '<', 'x'.repeat(9_000)])
      expect(link(broken), broken.slice(0, 9)).toBe('LOST');
  });

  it('R-058q puts a mark into its parameter and leaves the rest as it was sent', () => {
    const cursor = (body: unknown) => next({ by: 'cursor', at: '/next_page', parameter: 'page' }, { body });
    expect(cursor({ next_page: 'a&b=1' })).toEqual({ url: `${first}&page=a%26b%3D1` });
    expect(cursor({ next_page: null })).toBe('END');
    expect(next({ by: 'last', at: '/id', parameter: 'starting_after' }, { more: true })).toEqual({
      url: `${first}&starting_after=P-2`,
    });
    expect(next({ by: 'last', at: '/id', parameter: 'starting_after' }, { more: false })).toBe('END');
    expect(next({ by: 'last', at: '/uid', parameter: 'starting_after' }, { more: true })).toBe('LOST');
  });

  it('R-058q counts pages or things on, until a page is empty', () => {
    const asked = [first, `${first}&page=2`];
    expect(next({ by: 'number', parameter: 'page', first: 1 }, {}, asked)).toEqual({
      url: `${first}&page=3`,
    });
    expect(next({ by: 'number', parameter: 'limit', first: 0, step: 50 }, {}, asked)).toEqual({
      url: 'https://api.example.com/v1/payments?q=a%20b&limit=100',
    });
    expect(next({ by: 'number', parameter: 'page', first: 1 }, { items: [] }, asked)).toBe('END');
  });

  it.each([
    'https://evil.example.com/v1/payments',
    'http://api.example.com/v1/payments',
    'https://api.example.com:8443/v1/payments',
    'https://api.example.com.evil.example/v1/payments',
    'https://user@api.example.com/v1/payments',
    'https://api.example.com/v2/payments',
    'https://api.example.com/v1',
    '/admin',
    '../../admin',
    '/v1/%2e%2e/admin',
    '/v1/..%2fadmin',
    '/v1/%252e%252e/admin',
    '/v1\\..\\admin',
    '//evil.example.com/v1/',
    'file:///v1/x',
    'javascript:alert(1)',
    '/v1/x\r\nHost: evil',
    `/v1/${'x'.repeat(5_000)}`,
  ])('R-058r SS-03 SS-05 does not follow %j', (address) => {
    expect(byBody(address)).toBe('LOST');
    expect(next({ by: 'link' }, { link: `<${address}>; rel="next"` })).toBe('LOST');
  });

  it('R-058r never asks the same address twice', () => {
    expect(byBody(first)).toBe('LOST');
    expect(
      next({ by: 'cursor', at: '/c', parameter: 'page' }, { body: { c: 'x' } }, [first, `${first}&page=x`]),
    ).toBe('LOST');
  });

  it('R-058r no text at all leads to another origin or above the base path', () => {
    const odd = fc.array(
      fc.constantFrom(
        '/',
        '..',
        '%2e',
        '\\',
        '@',
        ':',
        '?',
        '#',
        'v1',
        'https:',
        '//',
        'evil.example.com',
        ';',
        '\t',
        '％',
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.webUrl(),
          odd.map((parts) => parts.join('')),
        ),
        (text) => {
          const results = [
            byBody(text),
            next({ by: 'cursor', at: '/c', parameter: 'page' }, { body: { c: text } }),
          ];
          return results.every((result) => {
            if (typeof result === 'string') return true;
            const url = new URL(result.url);
            return (
              url.origin === 'https://api.example.com' &&
              url.pathname.startsWith('/v1/') &&
              url.username === '' &&
              url.hash === ''
            );
          });
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
