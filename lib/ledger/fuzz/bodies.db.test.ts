import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzzedApi, wordOf, type Asked, type FuzzedApi } from '@/lib/testing/fuzz/ask';
import { campaign } from '@/lib/testing/fuzz/campaign';
import { spell } from '@/lib/testing/fuzz/spell';
import { tree } from '@/lib/testing/fuzz/tree';

/** Requests of one run, sent at once: they meet in the database, and the runs take less time. */
const AT_ONCE = 10;

let fuzzed: FuzzedApi;
beforeAll(async () => {
  fuzzed = await fuzzedApi();
});
afterAll(() => fuzzed.api.close());

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    ...['', '\0', '\ud800', '9'.repeat(400), '1e400', -0, 1e308, [], {}, null, '\u202e', 'a'.repeat(5000)],
    ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '2026-11-29T24:00:00Z'],
    ...['2026-03-29T02:30:00+14:01', '1795975515', 'Infinity', '__proto__', '../..', "'; select 1 --"],
  ),
);
const sometimes = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: likely as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
const claim = fc.record(
  {
    operation: sometimes(fc.constantFrom('refund.create', 'label.print')),
    requestId: sometimes(fc.constant('r-1')),
    payload: odd,
    fingerprint: sometimes(fc.constant(`sha256:${'0a'.repeat(32)}`)),
    contentVersion: sometimes(fc.constant('v1')),
    target: sometimes(
      fc.record({ system: sometimes(fc.constant('crm')), account: sometimes(fc.constant('main')) }),
    ),
    approvalRef: sometimes(
      fc.record({ id: sometimes(fc.constant('A-1')), target: odd, count: odd }, { requiredKeys: [] }),
    ),
    deadline: sometimes(fc.constant('2030-01-01T00:00:00Z')),
    leaseSeconds: sometimes(fc.integer({ min: -1, max: 90_000 })),
    attemptId: sometimes(fc.uuid()),
    businessRef: sometimes(fc.string({ unit: 'grapheme', maxLength: 300 })),
    workflowId: sometimes(fc.constant('w-1')),
    step: odd,
    inputRef: odd,
    owner: odd,
    traceId: odd,
    externalRequestKey: odd,
    unknownMember: fc.constant(1),
  },
  { requiredKeys: ['operation', 'requestId', 'payload'] },
);
/** Most requests get past the form, or the database would hardly be asked. */
const sound = fc
  .tuple(tree, fc.integer(), fc.integer({ min: 1, max: 86_400 }))
  .map(
    ([payload, seed, lease]) =>
      `{"operation":"refund.create","requestId":"r-1","leaseSeconds":${lease},"payload":${spell(payload, seed)}}`,
  );
/** A text in which one piece is cut out or doubled. */
const broken = fc.tuple(claim, fc.nat(), fc.nat({ max: 20 })).map(([value, at, length]) => {
  const text = JSON.stringify(value);
  const start = at % text.length;
  return at % 2 === 0
    ? text.slice(0, start) + text.slice(start + length)
    : text.slice(0, start + length) + text.slice(start);
});
const path = fc.constantFrom('/executions', '/executions', '/executions/register', '/intakes/keyless');
/** Keys that meet again and again, and keys that stand alone. */
const key = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map((number) => `k-${number}`),
  fc.nat().map((number) => `"k-${number}"`),
);
const request = fc.tuple(fc.oneof(claim, sound, sound, broken), key, path);

function expectNoFault(answer: Asked): void {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  if (answer.status >= 400) expect(answer.contentType).toBe('application/problem+json');
}

it('R-006a R-006b BI-01 BI-02 BI-03 BI-11 no body makes a 5xx, and no prototype is touched', async () => {
  const run = campaign('bodies', { of: 0.5, requests: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      const answers = await Promise.all(requests.map(([body, key, to]) => fuzzed.post(to, body, key)));
      for (const answer of answers) {
        expectNoFault(answer);
        run.saw(wordOf(answer));
      }
    }),
    run.parameters,
  );
  run.tell();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.keys(Array.prototype)).toEqual([]);
}, 3_600_000);

const result = {
  resultId: sometimes(fc.constantFrom('R-1', 'R-2', 'R-3')),
  resultUrl: sometimes(fc.constant('https://crm.example/1')),
  target: sometimes(fc.constant({ system: 'crm', account: 'main' })),
  response: sometimes(
    fc.record({
      status: fc.constantFrom(200, 201, 204, 304, 404, 408, 500, -1, 700, 200.5),
      headers: fc.dictionary(fc.constantFrom('etag', 'Link', 'location', 'x', '__proto__'), fc.string()),
      body: odd,
    }),
  ),
};
const failure = {
  retryable: sometimes(fc.boolean()),
  basis: sometimes(fc.constantFrom('NOT_SENT', 'PROVIDER_TRANSIENT', 'LOOKUP')),
  response: result.response,
};
const why = { code: sometimes(fc.constant('X')), message: sometimes(fc.constant('m')) };
const beat = { progress: odd, externalJobId: sometimes(fc.constant('job-1')) };
const lease = { leaseSeconds: sometimes(fc.integer({ min: -1, max: 90_000 })) };
/** By verb: members that must be there, and members that may. */
const VERBS: readonly (readonly [string, Shape, Shape])[] = [
  ['effect-started', {}, { externalJobId: beat.externalJobId, externalRequestKey: odd }],
  ['heartbeat', {}, { ...beat, ...lease }],
  ['complete', {}, result],
  ['fail', { retryable: failure.retryable, ...why }, failure],
  ['unknown', why, {}],
  ['cancel', { reason: sometimes(fc.constant('r')) }, {}],
];
type Shape = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const report = fc.oneof(
  ...VERBS.map(([verb, must, may]) => {
    const fencingToken = fc.oneof(
      { weight: 4, arbitrary: fc.constant('1') },
      { weight: 1, arbitrary: sometimes(fc.constantFrom('0', '2', '9223372036854775808')) },
    );
    const members = { fencingToken, ...must, ...may };
    const requiredKeys = ['fencingToken', ...Object.keys(must)];
    return fc.tuple(fc.constant(verb), fc.record(members, { requiredKeys } as never));
  }),
);

it('R-029a BI-01 no report makes a 5xx', async () => {
  const run = campaign('reports', { of: 0.1, requests: AT_ONCE });
  let records = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (reports) => {
      // A record of its own in each run: what has ended refuses everything alike.
      const claimed = await fuzzed.claim('reported', `k-${(records += 1)}`, '1');
      const { executionId } = claimed.body as { executionId: string };
      for (const [to, body] of reports) {
        const answer = await fuzzed.post(`/executions/${executionId}/${to}`, body);
        expectNoFault(answer);
        run.saw(wordOf(answer));
      }
    }),
    run.parameters,
  );
  run.tell();
}, 3_600_000);
