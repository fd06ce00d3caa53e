import { describe, expect, it } from 'vitest';
import { isSameOrigin } from './same-origin';

const ORIGIN = 'https://desk.example';
const origins = [
  ORIGIN,
  'https://evil.example',
  'https://a.desk.example',
  'https://desk.example:444',
  'http://desk.example',
  'null',
  null,
  'https://desk.example/',
  'garbage',
];
const sites = ['same-origin', 'same-site', 'cross-site', 'none', null];
const table = origins.flatMap((origin) => sites.map((secFetchSite) => ({ origin, secFetchSite })));

describe('a change comes from our own pages', () => {
  it.each(table)('HD-01 Origin $origin with Sec-Fetch-Site $secFetchSite', (headers) => {
    const ours =
      headers.origin === ORIGIN && (headers.secFetchSite === 'same-origin' || headers.secFetchSite === null);
    expect(isSameOrigin(headers, ORIGIN)).toBe(ours);
  });
});
