import { describe, expect, it } from 'vitest';
import { sourceAddress } from './source-address';

describe('where a request comes from', () => {
  it('AU-15 without a trusted proxy only the peer counts, whatever the chain claims', () => {
    expect(sourceAddress('203.0.113.9', '10.0.0.1, 127.0.0.1', undefined)).toBe('203.0.113.9');
    expect(sourceAddress('203.0.113.9', '10.0.0.1', '')).toBe('203.0.113.9');
  });

  it.each<[string, string | null, string]>([
    ['198.51.100.7', '10.1.1.1', '198.51.100.7'],
    ['6.6.6.6, 198.51.100.7', '10.1.1.1', '198.51.100.7'],
    ['198.51.100.7, 10.1.1.2', '10.1.1.1', '198.51.100.7'],
    ['198.51.100.7, not-an-address', '10.1.1.1', '10.1.1.1'],
    ['', '10.1.1.1', '10.1.1.1'],
    ['10.9.9.9', '10.1.1.1', '10.9.9.9'],
    ['198.51.100.7', '::ffff:10.1.1.1', '198.51.100.7'],
    ['2001:db8::5', 'fd00::1', '2001:db8::5'],
  ])('AU-15 behind trusted proxies the nearest address that is none of them: %s', (chain, peer, expected) => {
    expect(sourceAddress(peer, chain, '10.0.0.0/8, fd00::/8')).toBe(expected);
  });

  it('AU-15 an unknown peer gives no address, and a chain of 8 KB is not walked', () => {
    expect(sourceAddress(null, '198.51.100.7', '10.0.0.0/8')).toBeNull();
    expect(sourceAddress('10.1.1.1', '1.1.1.1,'.repeat(1_024), '10.0.0.0/8')).toBe('10.1.1.1');
  });
});
