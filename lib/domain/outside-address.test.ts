import { describe, expect, it } from 'vitest';
import { addressReach, outsideUrlFault } from './outside-address';

describe('addressReach', () => {
  it.each(['8.8.8.8', '203.0.114.1', '2606:4700::1111', '[2001:4860:4860::8888]'])(
    'SS-01 %s may be called',
    (literal) => {
      expect(addressReach(literal)).toBe('PUBLIC');
    },
  );

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    'example.com',
    '',
  ])('R-063f SS-01 %s is refused', (literal) => {
    expect(addressReach(literal)).toBe('REFUSED');
  });

  it.each(['127.0.0.1', '127.255.255.254', '::1'])('SS-01 %s is this machine', (literal) => {
    expect(addressReach(literal)).toBe('LOOPBACK');
  });
});

describe('outsideUrlFault', () => {
  const judge = (text: string, allowLoopback = false) => outsideUrlFault(text, { allowLoopback });

  it('SS-01 a public https address passes', () => {
    expect(judge('https://api.example.com/v1/')).toBeNull();
    expect(judge('https://api.example.com:8443/v1/')).toBeNull();
    expect(judge('https://8.8.8.8/')).toBeNull();
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.０.０.１/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://224.0.0.1/',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://api.localhost/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://intranet/',
  ])('R-063f SS-01 %s is refused at save', (text) => {
    expect(judge(text)).toMatch(/^(ADDRESS|LOCAL_NAME)$/);
  });

  it('SS-01 plain http, credentials and other schemes are refused', () => {
    expect(judge('http://api.example.com/')).toBe('SCHEME');
    expect(judge('file:///etc/passwd')).not.toBeNull();
    expect(judge('https://user@api.example.com/')).toBe('CREDENTIALS');
    expect(judge('https://api.example.com/#x')).toBe('FRAGMENT_OR_QUERY');
    expect(judge('api.example.com')).toBe('NOT_A_URL');
  });

  it("SS-01 the deployment's entry opens this machine and nothing else", () => {
    expect(judge('http://127.0.0.1:4010/', true)).toBeNull();
    expect(judge('http://localhost:4010/', true)).toBeNull();
    expect(judge('http://[::1]:4010/', true)).toBeNull();
    for (const text of [
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'https://0.0.0.0/',
      'https://[::ffff:127.0.0.1]/',
    ]) {
      expect(judge(text, true), text).toBe('ADDRESS');
    }
    expect(judge('http://api.example.com/', true)).toBe('SCHEME');
    expect(judge('https://api.localhost/', true)).toBe('LOCAL_NAME');
  });
});
