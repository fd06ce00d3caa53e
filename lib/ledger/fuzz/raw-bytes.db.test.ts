import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzzedApi, type FuzzedApi } from '@/lib/testing/fuzz/ask';
import { campaign } from '@/lib/testing/fuzz/campaign';
import { choices } from '@/lib/testing/fuzz/choices';

const MIB = 1_048_576;
const AT_ONCE = 5;

let fuzzed: FuzzedApi;
beforeAll(async () => {
  fuzzed = await fuzzedApi();
});
afterAll(() => fuzzed.api.close());

const around = (payload: string) => `{"operation":"raw.op","requestId":"r","payload":${payload}}`;
const bytesOf = (text: string) => Buffer.from(text, 'utf8');
const SOUND = bytesOf(around('{"to":"각산상회","amount":100}'));

interface Body {
  readonly bytes: Buffer;
  /** What must be said of it; absent where that depends on chance. */
  readonly status?: number;
}

const sized = (size: number): Body => ({
  bytes: bytesOf(around(`"${'x'.repeat(size - around('""').length)}"`)),
  status: size > MIB ? 413 : 201,
});
const refused = (bytes: Buffer | string): Body => ({ bytes: Buffer.from(bytes), status: 400 });

const chancy: fc.Arbitrary<Body> = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat())
  .map(([some, at]) => {
    const bytes = Buffer.from(SOUND);
    bytes.set(some.subarray(0, bytes.length - (at % (bytes.length - 8))), at % (bytes.length - 8));
    return { bytes };
  });
const certain: fc.Arbitrary<Body> = fc.oneof(
  fc.constantFrom(
    refused(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), SOUND])),
    refused(Buffer.from(SOUND.toString(), 'utf16le')),
    refused(Buffer.from(around('"\u00e9"'), 'latin1')),
    ...[[0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xe2, 0x82]].map((bad) =>
      refused(Buffer.from(around('"?"').replace('?', String.fromCharCode(...bad)), 'latin1')),
    ),
    refused(around('{"a":1,"a":1}')),
    refused(around('{"__proto__":{"canary":1},"__proto__":{"canary":2}}')),
    refused('{"operation":"raw.op","operation":"raw.op","requestId":"r","payload":1}'),
    refused('{"__proto__":{"operation":"raw.op"},"requestId":"r","payload":1}'),
    refused(Buffer.alloc(0)),
    refused('[]'),
  ),
  fc.nat({ max: SOUND.length - 1 }).map((length) => refused(SOUND.subarray(0, length))),
  fc.integer({ min: 64, max: 100_000 }).map((depth) => refused(around('['.repeat(depth)))),
  fc.integer({ min: 64, max: 50_000 }).map((depth) => refused(around('{"a":'.repeat(depth)))),
  fc
    .integer({ min: 64, max: 5_000 })
    .map((depth) => refused(around(`${'['.repeat(depth)}${']'.repeat(depth)}`))),
);
const large = fc.constantFrom(MIB - 1, MIB, MIB + 1, MIB * 2).map(sized);
const body = fc.oneof(
  { weight: 6, arbitrary: chancy },
  { weight: 12, arbitrary: certain },
  { weight: 4, arbitrary: fc.constant<Body>({ bytes: SOUND, status: 201 }) },
  { weight: 1, arbitrary: large },
);

/** The same bytes in another framing; `ends` with too few of them, as when a sender dies. */
const framing = fc.record({
  chunked: fc.boolean(),
  short: fc.constantFrom(false, false, false, true),
  seed: fc.integer(),
});
type Framing = typeof framing extends fc.Arbitrary<infer T> ? T : never;

function requestOf({ bytes }: Body, { chunked, short, seed }: Framing, key: string): Buffer {
  const head = [
    'POST /api/v1/executions HTTP/1.1',
    'Host: ledger.test',
    `Authorization: Bearer ${fuzzed.api.tokens.north}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
    'Connection: close',
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length + (short ? 10 : 0)}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), ...(chunked ? inChunks(bytes, seed, short) : [bytes])]);
}

function inChunks(bytes: Buffer, seed: number, short: boolean): Buffer[] {
  const pick = choices(seed);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const chunk = bytes.subarray(at, at + 1 + pick.below(Math.max(16, bytes.length / 4)));
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return short ? chunks : [...chunks, Buffer.from('0\r\n\r\n')];
}

it('R-006a BI-01 BI-03 over a socket any bytes get a bounded answer below 500, and the right one where it is certain', async () => {
  const run = campaign('raw bytes', { of: 0.05, requests: AT_ONCE });
  let keys = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(body, framing), { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (requests) => {
        const answers = await Promise.all(
          requests.map(([sent, frame]) =>
            fuzzed.api.raw(requestOf(sent, frame, `k-${(keys += 1)}`), { ends: frame.short }),
          ),
        );
        answers.forEach((answer, index) => {
          const [sent, frame] = requests[index]!;
          const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
          run.saw(String(status));
          // A sender that dies may get no answer at all.
          if (frame.short) return expect(status >= 500).toBe(false);
          expect(status, answer.slice(0, 300)).toBe(sent.status ?? status);
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
        });
      },
    ),
    run.parameters,
  );
  run.tell();
  expect(({} as Record<string, unknown>)['canary']).toBeUndefined();
}, 3_600_000);
