import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointWebhook } from '@/lib/commands/checkpoint-webhook';
import { outsideUrlFault } from '@/lib/domain/outside-address';
import { FORBIDDEN, PUBLIC, UNSHARE } from '@/lib/testing/namespace/network';
import { startProgram, type Program } from '@/lib/testing/program';
import { type Arrived, type OutsideCalls } from '@/lib/testing/programs/outside-calls';

// Spellings of addresses that the network owns: each would arrive if it were called.
const SPELLED = [
  ...FORBIDDEN.map((address) => (address.includes(':') ? `[${address}]` : address)),
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '2852039166',
  '0xa9fea9fe',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '0251.254.43518',
  '169.254.43518',
  '10.1',
  '012.0.0.1',
  '3232235521',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a00:1]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[fe80::1]',
  '[ff02::1]',
  '224.0.0.1',
  '255.255.255.255',
  '127.0.0.1.',
  '169.254.169.254.',
  '１６９.254.169.254',
  '①⑥⑨.254.169.254',
  '169。254。169。254',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ⓛocalhost',
];
const FORBIDDEN_NAMES = {
  'private.example.com': [['10.0.0.1']],
  'metadata.example.com': [['169.254.169.254']],
  'loopback.example.com': [['127.0.0.1']],
  'mixed.example.com': [[PUBLIC[0], '10.0.0.1']],
  'mixed-families.example.com': [[PUBLIC[0], 'fd00:ec2::254']],
  'six.example.com': [['fd00:ec2::254']],
  'mapped.example.com': [['::ffff:10.0.0.1']],
  'alias.example.com': [['next-alias.example.com']],
  'next-alias.example.com': [['private.example.com']],
} satisfies OutsideCalls['names'];
const NAMES: OutsideCalls['names'] = {
  ...FORBIDDEN_NAMES,
  'fine.example.com': [[PUBLIC[0]]],
  'six-fine.example.com': [[PUBLIC[1]]],
  // Public at the first look, private ever after.
  'rebinding.example.com': [[PUBLIC[0]], ['10.0.0.1']],
  'rebound.example.com': [[PUBLIC[0]], ['169.254.169.254']],
};

const SECRET = 'canary-secret-51d0';
const lookup = (url: string) => ({ url, headers: { authorization: `Bearer ${SECRET}` } });
const webhook = (url: string) => ({ url, json: '{}' });
const urls = (hosts: readonly string[]) =>
  hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`, `https://${host}:8080/latest/meta-data/`]);

let program: Program | undefined;
const arrived: Arrived[] = [];

const refused = [...urls(SPELLED), ...urls(Object.keys(FORBIDDEN_NAMES))];
const HOPS = Array.from({ length: 20 }, (_, hop) => `http://localhost:8080/hop/${hop}`);

beforeAll(async () => {
  const redirect = [
    'HTTP/1.1 302 Found',
    'location: http://169.254.169.254/latest/meta-data/',
    'refresh: 0; url=http://10.0.0.1/',
    'content-length: 0',
    'connection: close',
  ];
  const calls: OutsideCalls = {
    names: NAMES,
    answer: `${redirect.join('\r\n')}\r\n\r\n`,
    calls: [
      ...refused.flatMap((url) => [lookup(url), webhook(url)]),
      lookup('https://fine.example.com/'),
      webhook('https://six-fine.example.com/'),
      lookup('https://rebinding.example.com/'),
      webhook('https://rebound.example.com/'),
      ...HOPS.map((url) => ({ ...lookup(url), allowLoopback: true })),
    ],
  };
  program = startProgram('outside-calls', calls, UNSHARE);
  const ready = await program.reaches('ready');
  expect(ready['canary']).toHaveLength(FORBIDDEN.length);
  for (const { url } of calls.calls) {
    const said = await program.reaches('called');
    expect(said['url']).toBe(url);
    arrived.push(said as unknown as Arrived);
  }
}, 60_000);
afterAll(() => program?.kill());

/** What came of the calls to one address. */
const of = (url: string): Arrived[] => arrived.filter((each) => each.url === url);

describe('in a network whose loopback owns the addresses that nobody may call', () => {
  it.each(SPELLED)(
    'SS-01 SS-11 %s is refused at save and again when calling, and nobody is called',
    (host) => {
      for (const url of urls([host])) {
        expect(outsideUrlFault(url, { allowLoopback: false }), url).not.toBeNull();
        const secret = `whsec_${Buffer.alloc(32, 'k3y').toString('base64')}`;
        const settings = { AUDIT_CHECKPOINT_WEBHOOK: url, SECRET_AUDIT_CHECKPOINT_WEBHOOK: secret };
        expect(() => checkpointWebhook(settings), url).toThrow(/AUDIT_CHECKPOINT_WEBHOOK is refused/);
        expect(of(url)).toHaveLength(2);
        for (const { result, forbidden, outside } of of(url)) {
          expect(result, url).toMatchObject({ ok: false, failure: 'UNREACHABLE' });
          expect([...forbidden, ...outside], url).toEqual([]);
        }
      }
    },
  );

  it.each(Object.keys(FORBIDDEN_NAMES))('SS-02 SS-11 %s is refused for what it stands for', (host) => {
    for (const { url, result, forbidden, outside } of urls([host]).flatMap(of)) {
      const detail = url.startsWith('https') ? 'resolved address refused' : 'address refused: SCHEME';
      expect(result, url).toEqual({ ok: false, failure: 'UNREACHABLE', detail });
      expect([...forbidden, ...outside], url).toEqual([]);
    }
  });

  it('SS-02 names of the outside system are called, in both families: the refusals above are not for want of a way', () => {
    expect(of('https://fine.example.com/')[0]?.outside).toEqual([`${PUBLIC[0]} 443`]);
    expect(of('https://six-fine.example.com/')[0]?.outside).toEqual([`${PUBLIC[1]} 443`]);
  });

  it('SS-02 SS-11 a name that is public when looked at and private right after is called where it was looked at', () => {
    for (const url of ['https://rebinding.example.com/', 'https://rebound.example.com/']) {
      expect(of(url)[0]).toMatchObject({ forbidden: [], outside: [`${PUBLIC[0]} 443`] });
    }
  });

  it('SS-03 SS-06 redirects are followed nowhere, however often', () => {
    const hops = HOPS.flatMap(of);
    expect(hops).toHaveLength(20);
    for (const { result, forbidden, outside } of hops) {
      expect(result).toEqual({ ok: false, failure: 'REDIRECT', detail: 'status 302' });
      // The deployment's own entry is what was asked, once, and nothing after it.
      expect([...forbidden, ...outside]).toEqual(['127.0.0.1 8080']);
    }
  });

  it('SS-06 SS-09 no refusal tells the secret or the address that was tried', () => {
    const told = arrived.map(({ result }) => (result.ok ? 'answer' : result.failure));
    expect(new Set(told)).toEqual(new Set(['UNREACHABLE', 'REDIRECT']));
    const results = JSON.stringify(arrived.map(({ result }) => result));
    expect(results).not.toContain(SECRET);
    for (const address of FORBIDDEN) expect(results).not.toContain(address);
  });
});
