import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { looksPersonal } from '@/lib/domain/personal-keys';
import { fuzzedApi, wordOf, type FuzzedApi } from '@/lib/testing/fuzz/ask';
import { campaign } from '@/lib/testing/fuzz/campaign';
import { keyNamedBy } from '@/lib/testing/fuzz/key-oracle';

const AT_ONCE = 3;
const TWINS = 4;

let fuzzed: FuzzedApi;
beforeAll(async () => {
  fuzzed = await fuzzedApi();
});
afterAll(() => fuzzed.api.close());

const characters = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
const visible = characters(0x21, 0x7e);
const short = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', '"', '\\', ',', ' ', '.', '%', '-'),
  maxLength: 6,
});
/** Header values as HTTP allows them; others never reach the API. */
const header = fc
  .oneof(
    short,
    short,
    short.map((text) => `"${text}"`),
    short.map((text) => `${text}, ${text}`),
    fc.string({ unit: visible, minLength: 1, maxLength: 40 }),
    fc.string({ unit: visible, minLength: 250, maxLength: 260 }),
    fc.string({ unit: visible, minLength: 250, maxLength: 258 }).map((text) => `"${text}"`),
    fc.string({ unit: characters(0x20, 0xff), maxLength: 30 }),
    fc.string({ unit: fc.constantFrom('0', '1', '-', '@', '.', 'a', '+'), maxLength: 16 }),
    fc.constantFrom('a'.repeat(10_000), '..', '%2e', '%2E', "' or 1=1", '\u00e9', 'e', '\u00a0', '\t'),
  )
  .filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text));

/** What is easily taken for the same key: its string form, other cases, a blank more. */
const twins = (text: string): string[] =>
  [
    text,
    `"${text.replace(/["\\]/g, '\\$&')}"`,
    text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
    `${text} `,
  ].map((each) => each.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'));

const accepts = (key: string | null): key is string => key !== null && looksPersonal(key) === null;

it('R-004a R-004b B-70 B-71 B-73 B-74 BI-05 keys are taken exactly by the grammar, twins stay two, and refused ones leave no record', async () => {
  const run = campaign('keys', { of: 0.15, requests: AT_ONCE * TWINS });
  let batch = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(header, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (some) => {
      const headers = some.flatMap(twins);
      const operation = `keys.${(batch += 1)}`;
      const answers = await Promise.all(headers.map((value) => fuzzed.claim(operation, value, '1')));
      const named = headers.map((value) => keyNamedBy(value.replace(/^[\t ]+|[\t ]+$/g, '')));
      answers.forEach((answer, index) => {
        run.saw(wordOf(answer));
        const words = accepts(named[index]!)
          ? ['CLAIMED', 'REQUEST_IN_PROGRESS']
          : ['IDEMPOTENCY_KEY_INVALID'];
        expect(words, JSON.stringify(headers[index])).toContain(wordOf(answer));
      });
      const taken = named.filter(accepts);
      const { rows } = await fuzzed.api.db.pool('owner').query<{ keys: string[]; arrivals: number }>(
        `select array(select idempotency_key from ledger.executions where operation = $1) as keys,
                (select count(*)::int from ledger.intakes where operation = $1) as arrivals`,
        [operation],
      );
      expect(rows[0]!.keys.sort()).toEqual([...new Set(taken)].sort());
      expect(rows[0]!.arrivals).toBe(taken.length);
    }),
    run.parameters,
  );
  run.tell();
}, 3_600_000);
