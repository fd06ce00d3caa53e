import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseStrictJson } from '@/lib/domain/json-strict';
import { fingerprintOf } from '@/lib/domain/fingerprint';
import { fuzzedApi, wordOf, type FuzzedApi } from '@/lib/testing/fuzz/ask';
import { campaign, type Campaign } from '@/lib/testing/fuzz/campaign';
import { anotherOrder, order, ORDER_POLICY, spellOrder } from '@/lib/testing/fuzz/order';
import { spell } from '@/lib/testing/fuzz/spell';
import { changed, tree } from '@/lib/testing/fuzz/tree';

let fuzzed: FuzzedApi;
beforeAll(async () => {
  fuzzed = await fuzzedApi();
  await fuzzed.api.policy('order.create', 1, ORDER_POLICY);
});
afterAll(() => fuzzed.api.close());

const seed = fc.integer();

function fingerprintOfText(text: string): string {
  const reading = parseStrictJson(text);
  if (!reading.ok) throw new Error(`${reading.detail}: ${text}`);
  return fingerprintOf(reading.value);
}

it('R-006c R-006d B-49 B-50 B-53 B-64 one meaning has one fingerprint in every spelling, and another meaning another', () => {
  const { parameters, tell } = campaign('spellings', { of: 1, requests: 1 });
  fc.assert(
    fc.property(tree, seed, seed, (value, one, other) => {
      const fingerprint = fingerprintOfText(spell(value, one));
      expect(fingerprintOfText(spell(value, other))).toBe(fingerprint);
      expect(fingerprintOfText(spell(changed(value, other), one))).not.toBe(fingerprint);
    }),
    parameters,
  );
  tell();
}, 3_600_000);

let keys = 0;

/** The first text claims; the second says the same, the third something else. */
async function expectMeanings(run: Campaign, operation: string, texts: readonly [string, string, string]) {
  const key = `k-${(keys += 1)}`;
  const [first, same, other] = texts;
  const words = [wordOf(await fuzzed.claim(operation, key, first))];
  words.push(
    ...(await Promise.all([same, other].map((text) => fuzzed.claim(operation, key, text)))).map(wordOf),
  );
  words.forEach((word) => run.saw(word));
  expect(words, texts.join('\n')).toEqual(['CLAIMED', 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']);
}

it('R-006c R-006d R-012a over the API a respelled payload is the same request and a changed one a conflict', async () => {
  const run = campaign('payloads', { of: 0.15, requests: 3 });
  await fc.assert(
    fc.asyncProperty(tree, seed, seed, (value, one, other) =>
      expectMeanings(run, 'refund.create', [
        spell(value, one),
        spell(value, other),
        spell(changed(value, other), one),
      ]),
    ),
    run.parameters,
  );
  run.tell();
}, 3_600_000);

it('R-006e B-50 B-52 B-56 B-58 with a policy, typed and defaulted fields mean the same in every spelling, and what does not count does not', async () => {
  const run = campaign('typed payloads', { of: 0.05, requests: 3 });
  await fc.assert(
    fc.asyncProperty(order, seed, seed, (value, one, other) =>
      expectMeanings(run, 'order.create', [
        spellOrder(value, one),
        spellOrder(value, other),
        spellOrder(anotherOrder(value, other), one),
      ]),
    ),
    run.parameters,
  );
  run.tell();
}, 3_600_000);
