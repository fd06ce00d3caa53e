import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalJson } from '@/lib/domain/canonical';
import { parseStrictJson } from '@/lib/domain/json-strict';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

/** Requests per property; the long suites set it to 100,000. A failing run prints its seed. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? '150');
const NO_LIMIT = { perSecond: 1_000_000, burst: 1_000_000 };

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest({ claimLimit: NO_LIMIT, otherLimit: NO_LIMIT });
});
afterAll(() => api.close());

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '9'.repeat(400),
    '1e400',
    -0,
    1e308,
    [],
    {},
    null,
    '\u202e',
    'a'.repeat(5000),
    '2026-02-30T00:00:00Z',
  ),
);
const sometimes = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: likely as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
const body = fc.record(
  {
    operation: sometimes(fc.constant('refund.create')),
    requestId: sometimes(fc.constant('r-1')),
    payload: odd,
    contentVersion: sometimes(fc.constant('v1')),
    target: sometimes(fc.constant({ system: 'crm', account: 'main' })),
    deadline: sometimes(fc.constant('2030-01-01T00:00:00Z')),
    leaseSeconds: sometimes(fc.integer({ min: -1, max: 90_000 })),
    attemptId: sometimes(fc.uuid()),
    businessRef: sometimes(fc.string({ unit: 'grapheme', maxLength: 300 })),
    unknownMember: fc.constant(1),
  },
  { requiredKeys: ['operation', 'requestId', 'payload'] },
);
const key = fc.oneof(
  fc.constantFrom('k-1', 'k-2', '"k-1"'),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  }),
);
/** A text in which one piece is cut out or doubled. */
const broken = fc.tuple(body, fc.nat(), fc.nat({ max: 20 })).map(([value, at, length]) => {
  const text = JSON.stringify(value);
  const start = at % text.length;
  return at % 2 === 0
    ? text.slice(0, start) + text.slice(start + length)
    : text.slice(0, start + length) + text.slice(start);
});

/** Header values as HTTP allows them; others never reach the API. */
const sendable = (text: string) => !/[^\t\x20-\x7e\x80-\xff]/.test(text);

it('R-004a BI-01 BI-02 BI-03 BI-05 no body and no key makes a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(body, broken),
      key.filter(sendable),
      fc.constantFrom('/executions', '/executions/register', '/intakes/keyless'),
      async (sent, name, path) => {
        const answer = await api.send({ method: 'POST', path, key: name, body: sent });
        expect(answer.status, answer.text).toBeLessThan(500);
        if (answer.status >= 400) expect(answer.headers['content-type']).toBe('application/problem+json');
      },
    ),
    { numRuns: RUNS },
  );
}, 3_600_000);

it('R-029 BI-01 no report makes a 5xx', async () => {
  const { executionId } = await api.started('k-fuzz-report');
  const report = fc.record(
    {
      fencingToken: sometimes(fc.constantFrom('0', '1', '2', '9223372036854775808')),
      resultId: sometimes(fc.constant('R')),
      retryable: sometimes(fc.boolean()),
      code: sometimes(fc.constant('X')),
      message: sometimes(fc.constant('m')),
      reason: sometimes(fc.constant('r')),
      progress: odd,
      response: sometimes(
        fc.record({
          status: fc.integer({ min: -1, max: 700 }),
          headers: fc.dictionary(fc.constantFrom('etag', 'Link', 'x'), fc.string()),
          body: odd,
        }),
      ),
    },
    { requiredKeys: ['fencingToken'] },
  );
  const verbs = fc.constantFrom('effect-started', 'heartbeat', 'complete', 'fail', 'unknown', 'cancel');
  await fc.assert(
    fc.asyncProperty(report, verbs, async (sent, verb) => {
      const answer = await api.report(executionId, verb, sent);
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

it('R-006c R-006d one key takes one meaning: an equal payload is the same request, any other is a conflict', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), async (one, other) => {
      const [first, second] = [one, other].map((value) => parseStrictJson(JSON.stringify(value)));
      fc.pre(first?.ok === true && second?.ok === true);
      const name = `k-meaning-${(count += 1)}`;
      expect((await api.claim(name, { payload: one })).status).toBe(201);
      const equal = canonicalJson(first.value) === canonicalJson(second.value);
      expect((await api.claim(name, { payload: other })).body['code']).toBe(
        equal ? 'REQUEST_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED',
      );
    }),
    { numRuns: Math.min(RUNS, 10_000) / 5 },
  );
}, 3_600_000);
