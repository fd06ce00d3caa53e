import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedLog, signNumbers } from '@/lib/testing/signed-log';
import { makeSigningKey, signingKeyOf } from '../signer/signing-key';
import { checkpointLine } from './checkpoint.mjs';
import { reportExport } from './report.mjs';
import { EXPORT_FORMAT } from './export-form.mjs';
import { verifyExport } from './verify-export.mjs';

const key = signingKeyOf(makeSigningKey());
const contents = Array.from({ length: 9 }, (_, n) => ({
  actorName: '각 P',
  body: `{"n": ${n}}`,
  operation: n % 2 === 0 ? null : 'create-order',
  actorRoles: ['OPERATOR'],
}));
const { events } = signedLog(contents, [], key);
const [first, second] = signNumbers(events, [3, 7], key).map((record) => checkpointLine(record).trimEnd());
const header = JSON.stringify({ type: 'export', format: EXPORT_FORMAT });
const end = (count: number) => JSON.stringify({ type: 'end', events: count });
const line = (index: number) => JSON.stringify({ type: 'event', ...events[index] });
const whole = [
  header,
  ...[0, 1, 2].map(line),
  first!,
  ...[3, 4, 5, 6].map(line),
  second!,
  ...[7, 8].map(line),
  end(9),
];

describe('an exported file', () => {
  it('R-088c that is whole leads to the last checkpoint', async () => {
    expect(await verifyExport(whole, null)).toEqual({
      kind: 'verified',
      proof: {
        events: 9,
        links: 8,
        signed: 7,
        ways: 0,
        first: 1n,
        last: 9n,
        after: 0n,
        upTo: 9n,
        missing: 0n,
        checkpointAt: 7n,
        complete: true,
        archived: false,
        absent: 0,
        untold: 0,
        hash: events[8]!.hash,
        keyId: key.keyId,
        loose: [8n, 9n],
      },
    });
  });

  it('R-087q R-088c whose every event is there lacks no text without its erasure; one with gaps says how many it lacks', async () => {
    const { events: written } = signedLog(
      [...contents, { ...contents[0]!, written: 'Called the shop.' }],
      [],
      key,
    );
    const lines = written.map((event) => JSON.stringify({ type: 'event', ...event }));
    const bare = JSON.stringify({ type: 'event', ...written[9], texts: null });
    expect(await verifyExport([header, ...lines, end(10)], null)).toMatchObject({ proof: { absent: 0 } });
    expect(await verifyExport([header, ...lines.with(9, bare), end(10)], null)).toEqual({
      kind: 'broken',
      fault: { number: 10n, reason: 'TEXT' },
    });
    const gaps = await verifyExport([header, lines[0]!, bare, end(2)], null);
    expect(gaps).toMatchObject({ kind: 'verified', proof: { absent: 1 } });
    expect(reportExport(gaps).text).toContain('1 texts are not in the file, and no event of it tells');
  });

  it('R-088c with gaps counts what leads to a checkpoint, and nothing before a gap', async () => {
    const lines = [header, line(0), line(2), first!, line(4), line(6), second!, line(7), end(5)];
    expect(await verifyExport(lines, null)).toMatchObject({
      kind: 'verified',
      proof: { events: 5, links: 1, signed: 2, complete: false, loose: [1n, 5n, 8n] },
    });
    const words = async (given: string[]) => reportExport(await verifyExport(given, null)).text;
    expect(await words(lines)).toContain('2 of them lead, hash by hash');
    expect(await words(lines)).toContain('The other 3, numbers 1, 5, 8, agree with their own hash alone');
    const few = [header, line(0), line(2), first!, end(2)];
    expect(await words(few)).toContain('1 of them leads, hash by hash');
    expect(await words(few)).toContain('The other one, number 1, agrees with its own hash alone');
  });

  it('R-088c names no more than 20 of the numbers that lead to no checkpoint, and those before a signed stretch alone', async () => {
    const { events: many } = signedLog(
      Array.from({ length: 30 }, () => contents[0]!),
      [],
      key,
    );
    const told = many.map((event) => JSON.stringify({ type: 'event', ...event }));
    const signed = checkpointLine(signNumbers(many, [1], key)[0]!).trimEnd();
    const { text } = reportExport(
      await verifyExport([header, told[0]!, signed, ...told.slice(1), end(30)], null),
    );
    expect(text).toContain('The other 29, numbers 2, 3, 4,');
    expect(text).toContain(', 20, 21, …, agree');
  });

  it('R-088c the CSV is told apart from a file that is no export', async () => {
    const csv = await verifyExport(['\ufeff"number","eventId"', '"1","e"'], null);
    expect(reportExport(csv).text).toBe(
      'This is the CSV, which is for reading. The verifier reads the JSON Lines export.',
    );
    expect(reportExport(csv).exitCode).toBe(1);
    expect(await verifyExport(['nothing of ours'], null)).toMatchObject({ reason: 'HEADER' });
    expect(reportExport(await verifyExport([header, end(0)], null)).text).toBe('The export holds no event.');
  });

  it('R-088c says how many numbers are not there, and what no checkpoint of it signs', async () => {
    const words = async (lines: string[]) => reportExport(await verifyExport(lines, null)).text.split('\n');
    expect((await words(whole)).slice(-1)).toEqual([
      'Not signed in the file: what came after number 7, which its last checkpoint is about.',
    ]);
    const filtered = JSON.stringify({ ...JSON.parse(header), upTo: '9', filter: { events: ['x'] } });
    const few = await words([filtered, line(2), first!, line(4), end(2)]);
    expect(few.at(-2)).toMatch(
      /^Not in the file: 7 of the numbers 1 to 9\. Whether a filter left them out.*went on after 9, this file cannot show\.$/,
    );
    expect(few.at(-1)).toContain('what came after number 3,');
    const none = await words([filtered, end(0)]);
    expect(none.at(-1)).toContain('Not in the file: 9 of the numbers 1 to 9.');
    const signed = await words([...whole.slice(0, -3), end(7)]);
    expect(signed.join(' ')).not.toMatch(/Not (in|signed in) the file/);
  });

  it.each<[string, string[], object]>([
    [
      'a changed event',
      whole.with(2, whole[2]!.replace('{\\"n\\": 1}', '{\\"n\\": 7}')),
      { fault: { number: 2n, reason: 'CHANGED' } },
    ],
    [
      'two that changed places',
      whole.with(1, whole[2]!).with(2, whole[1]!),
      { fault: { number: 1n, reason: 'UNEXPECTED' } },
    ],
    [
      'one that is there twice',
      whole.toSpliced(2, 0, whole[1]!),
      { fault: { number: 1n, reason: 'UNEXPECTED' } },
    ],
    ['an event taken out', whole.toSpliced(2, 1), { kind: 'unreadable', reason: 'CUT' }],
    ['an end cut off', whole.slice(0, -1), { kind: 'unreadable', line: 13, reason: 'CUT' }],
    ['something behind the end', [...whole, line(8)], { kind: 'unreadable', line: 14, reason: 'FORM' }],
    ['another kind of file', whole.slice(1), { kind: 'unreadable', line: 1, reason: 'HEADER' }],
    ['no JSON', whole.with(3, 'x'), { kind: 'unreadable', line: 4, reason: 'FORM' }],
    [
      'a member too many',
      whole.with(3, whole[3]!.replace('{', '{"more":1,')),
      { kind: 'unreadable', line: 4, reason: 'FORM' },
    ],
    [
      'another signature',
      whole.with(4, whole[4]!.replace(/"signature":"..../, '"signature":"AAAA')),
      { kind: 'distrusted', line: 5, reason: 'SIGNATURE' },
    ],
    ['nothing at all', [], { kind: 'unreadable', line: 1, reason: 'CUT' }],
  ])('R-088c is not believed with %s', async (_, lines, found) => {
    const outcome = await verifyExport(lines, null);
    expect(outcome).toMatchObject(found);
    expect(reportExport(outcome).exitCode).toBe(1);
  });

  it('R-088c written anew, hashes and all, does not lead to its checkpoint', async () => {
    const forged = signedLog(
      contents.map((each, index) => (index === 4 ? { ...each, actorName: 'Q' } : each)),
      [],
      key,
    ).events.map((event) => JSON.stringify({ type: 'event', ...event }));
    const lines = [
      header,
      ...forged.slice(0, 3),
      first!,
      ...forged.slice(3, 7),
      second!,
      ...forged.slice(7),
      end(9),
    ];
    expect(await verifyExport(lines, null)).toEqual({
      kind: 'broken',
      fault: { number: 4n, reason: 'REWRITTEN' },
    });
  });

  it('R-088c believes the given keys alone', async () => {
    const other = signingKeyOf(makeSigningKey());
    const keys = [{ keyId: other.keyId, publicKey: other.publicKey, revokedAt: null }];
    expect(await verifyExport(whole, keys)).toEqual({ kind: 'distrusted', line: 5, reason: 'KEY_UNKNOWN' });
  });

  it('R-088c one bit of a line of it is found', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: whole.length - 1 }),
        fc.nat(),
        fc.nat(6),
        async (at, place, bit) => {
          const text = whole[at]!;
          const index = place % text.length;
          const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
          const changed = text.slice(0, index) + flipped + text.slice(index + 1);
          // A file holds no half surrogate pair, and reading lines takes a line end for one.
          const lines = whole.with(at, changed).join('\n').split('\n');
          expect((await verifyExport(lines, null)).kind).not.toBe('verified');
        },
      ),
      { numRuns: 500 },
    );
  });
});
