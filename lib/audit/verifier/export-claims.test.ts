import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rehash, signedLog, signNumbers } from '@/lib/testing/signed-log';
import { makeSigningKey, signingKeyOf } from '../signer/signing-key';
import { checkpointLine } from './checkpoint.mjs';
import type { AuditRecord } from './event-hash.mjs';
import { EXPORT_FORMAT } from './export-form.mjs';
import { verifyFile } from './main.mjs';
import { reportExport } from './report.mjs';
import { verifyExport } from './verify-export.mjs';

const key = signingKeyOf(makeSigningKey());
const keys = [{ keyId: key.keyId, publicKey: key.publicKey, revokedAt: null }];
const COUNT = 12;
const { events } = signedLog(
  Array.from({ length: COUNT }, (_, n) => ({
    actorName: 'P',
    body: `{"n": ${n}}`,
    operation: null,
    actorRoles: [],
    written: n === 4 ? 'Called the shop.' : null,
  })),
  [],
  key,
);
const SIGNED = [2, 4, 6, 8, 10, 12];
const records = signNumbers(events, SIGNED, key);
const line = (event: AuditRecord) => JSON.stringify({ type: 'event', ...event });
const header = (more: object = {}) =>
  JSON.stringify({
    type: 'export',
    format: EXPORT_FORMAT,
    upTo: String(COUNT),
    filter: { events: [], text: '' },
    ...more,
  });
const end = (count: number) => JSON.stringify({ type: 'end', events: count });
const signature = (number: number) => checkpointLine(records[SIGNED.indexOf(number)]!).trimEnd();

/** The file with these events, each checkpoint behind its own event. */
const fileOf = (of: readonly AuditRecord[], head = header(), signed: readonly number[] = SIGNED) => [
  head,
  ...of.flatMap((event) => [
    line(event),
    ...(signed.includes(Number(event.number)) ? [signature(Number(event.number))] : []),
  ]),
  end(of.length),
];
/** Everything from a number on computed anew, as somebody who wants it to hang together. */
const rewritten = (from: number) =>
  rehash(events.map((event, at) => (at + 1 === from ? { ...event, actorName: 'Q' } : event)));
const found = (lines: readonly string[]) => verifyExport(lines, keys);
const broken = (number: number, reason: string) => ({
  kind: 'broken',
  fault: { number: BigInt(number), reason },
});

const numbers = fc.integer({ min: 1, max: COUNT - 1 });
/** The last line of what nothing but the file itself vouches for. */
const UNKEYED = /\nNot verified against a key of yours: nobody but what was verified itself vouches[^\n]*$/;

describe('what an exported file says of itself', () => {
  it('R-087y a whole one verifies, and says what it cannot show', async () => {
    const whole = await found(fileOf(events));
    expect(whole).toMatchObject({ kind: 'verified', proof: { complete: true, signed: COUNT } });
    expect(reportExport(whole).text).toContain('Whether the log went on after 12, this file cannot show.');
  });

  it('R-087y AU-03 one that was cut is found at the cut, with its later checkpoints or without', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.boolean(), async (last, withLater) => {
        const later = withLater ? SIGNED.filter((number) => number > last).map(signature) : [];
        const cut = fileOf(events.slice(0, last));
        expect(await found([...cut.slice(0, -1), ...later, end(last)])).toMatchObject(
          broken(last + 1, 'MISSING'),
        );
        // With another end in the first line, the checkpoints alone tell.
        const other = [header({ upTo: String(last) }), ...cut.slice(1, -1), ...later, end(last)];
        expect((await found(other)).kind).toBe(later.length > 0 ? 'broken' : 'verified');
      }),
      { numRuns: 40 },
    );
  });

  it('R-087y a view that leaves events out has one checkpoint at most of what is not there', async () => {
    const some = events.filter((_, at) => at !== 5);
    const filtered = header({ filter: { events: ['x'] } });
    const honest = [...fileOf(some.slice(0, 9), filtered, [2, 4, 8]).slice(0, -1), signature(12), end(9)];
    expect(await found(honest)).toMatchObject({ kind: 'verified', proof: { complete: false } });
    const removed = [
      ...fileOf(some.slice(0, 7), filtered).slice(0, -1),
      signature(10),
      signature(12),
      end(7),
    ];
    expect(await found(removed)).toMatchObject(broken(10, 'MISSING'));
  });

  it('R-087y AU-05 one that was written anew is found, wherever its checkpoints are moved to', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.constantFrom('before', 'behind', 'in place'), async (from, where) => {
        const forged = rewritten(from).map(line);
        const moved = SIGNED.filter((number) => number >= from).map(signature);
        const kept = fileOf(events.slice(0, from - 1)).slice(1, -1);
        const tail =
          where === 'in place'
            ? fileOf(rewritten(from)).slice(1 + kept.length, -1)
            : where === 'before'
              ? [...moved, ...forged.slice(from - 1)]
              : [...forged.slice(from - 1), ...moved];
        const outcome = await found([header(), ...kept, ...tail, end(COUNT)]);
        expect(outcome.kind).not.toBe('verified');
        if (where === 'before') expect(outcome).toMatchObject({ fault: { number: BigInt(from) } });
      }),
      // One checkpoint alone, before its event.
      { numRuns: 60, examples: [[COUNT - 1, 'before']] },
    );
  });

  it('R-087y a checkpoint behind later events is out of order where every event is there', async () => {
    const lines = fileOf(events, header(), [2, 4, 12]);
    const moved = [...lines.slice(0, -2), signature(8), lines.at(-2)!, lines.at(-1)!];
    const outcome = await found(moved);
    expect(outcome).toEqual({ kind: 'unreadable', line: moved.length - 2, reason: 'ORDER' });
    expect(reportExport(outcome)).toMatchObject({ exitCode: 1 });
  });

  it('R-087y AU-20 one without its front is found unless the signer let exactly that leave', async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (after) => {
        const point = {
          number: String(after),
          hash: events[after - 1]!.hash,
          archive: 'x',
          sha256: '0'.repeat(64),
        };
        const rest = fileOf(events.slice(after), header({ after: point }));
        const signed = SIGNED.includes(after) ? [signature(after)] : [];
        expect(await found([rest[0]!, ...signed, ...rest.slice(1)])).toMatchObject(broken(after, 'ANCHOR'));
      }),
      { numRuns: 20 },
    );
  });

  it('R-087y R-088c AU-20 one that calls itself an archive is held against the published checkpoints', async () => {
    const point = { number: '4', hash: events[3]!.hash };
    const about = (last: number) =>
      header({ upTo: undefined, after: point, archive: { first: '5', last: String(last) } });
    const bare = events.slice(4, 8).map((event) => ({ ...event, texts: null }));
    const [head, ...rest] = fileOf(bare, about(8));
    const lines = [head!, signature(4), ...rest];
    const alone = await found(lines);
    expect(reportExport(alone).text).toContain('It calls itself the archive');
    expect(reportExport(alone).text).toContain('1 texts are not in the file, and no event of it tells');
    expect(await found([head!, ...rest])).toMatchObject(broken(4, 'ANCHOR'));
    const seven = fileOf(bare.slice(0, 3), about(7));
    expect(await found([seven[0]!, signature(4), ...seven.slice(1)])).toMatchObject(broken(7, 'ANCHOR'));
    const folder = mkdtempSync(path.join(tmpdir(), 'onceover-claims-'));
    const place = (name: string, content: readonly string[]) => {
      const file = path.join(folder, name);
      writeFileSync(file, content.map((each) => `${each}\n`).join(''));
      return file;
    };
    const checkpoints = place('checkpoints.jsonl', SIGNED.map(signature));
    const pinned = place('keys.json', [JSON.stringify(keys)]);
    const report = await verifyFile({ export: place('archive.jsonl', lines), checkpoints, keys: pinned });
    expect(report).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('First bad number: 5') as unknown,
    });
    const prefix = place('prefix.jsonl', fileOf(events.slice(0, 8), header({ upTo: '8' })));
    expect(await verifyFile({ export: prefix, checkpoints, keys: pinned })).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(
        'They go on to number 12: what came after 8 is not in this file.',
      ) as unknown,
    });
    // Published checkpoints beside the file vouch for no key.
    const unkeyed = await verifyFile({ export: prefix, checkpoints });
    expect(unkeyed).toMatchObject({ exitCode: 0, text: expect.stringMatching(UNKEYED) as unknown });
    // R-088c: keys say nothing about what no signature leads to.
    const unsigned = place('unsigned.jsonl', fileOf(events.slice(0, 2), header({ upTo: '2' }), []));
    expect((await verifyFile({ export: unsigned, keys: pinned })).text).toMatch(
      /\nNot verified against a key of yours: no signature leads to any event here[^\n]*$/,
    );
    expect((await verifyFile({ export: unsigned, keys: pinned, checkpoints })).text).not.toContain(
      'of yours',
    );
    expect((await verifyFile({ export: prefix, keys: pinned })).text).not.toContain('of yours');
    rmSync(folder, { recursive: true, force: true });
  });

  it('R-087y AU-18 texts that are not there are called erased only where an event of the file says so', async () => {
    const filtered = header({ filter: { events: ['x'] } });
    const bare = { ...events[4]!, texts: null };
    const stripped = reportExport(await found(fileOf([events[0]!, bare], filtered, [])));
    expect(stripped.text).toContain(
      '1 texts are not in the file, and no event of it tells that they were erased',
    );
    expect(stripped.text).not.toContain('not there any more');
    const erasing = rehash([
      ...events.slice(0, 4),
      bare,
      { ...events[5]!, event: 'audit.text_erased', body: '{"texts": ["5/text"]}' },
    ]);
    const told = reportExport(await verifyExport(fileOf(erasing.slice(4), filtered, []), keys));
    expect(told.text).toContain(
      '1 texts are not there any more: they were erased, as an event of the file tells.',
    );
    expect(told.text).not.toContain('no event of it tells');
  });
});
