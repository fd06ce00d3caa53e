import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bulkEvents, insertBulk } from '@/lib/testing/bulk-trail';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { treeOf } from '@/lib/testing/merkle-reference';
import { signNumbers } from '@/lib/testing/signed-log';
import { appendEvents, signerFixture, type SignerFixture } from '@/lib/testing/signer-fixture';
import { readRecords } from '../audit-records';
import { InclusionProofs, type TreeRecord } from '../inclusion-proofs';
import { leafOf, MOST_LEAVES, rootAbove } from '../verifier/merkle.mjs';
import { rotateKey } from './change-keys';
import { signHead } from './sign-head';
import { makeSigningKey, signingKeyOf } from './signing-key';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});

const trees = () => fixture.records().map(({ number, tree }) => ({ number, ...tree }));
const everything = () => readRecords(db.pool('signer'), null, 1_000);

describe('the root that each record signs', () => {
  it('R-087ac is over the events since the record before, of whatever kind, and over none where there are none', async () => {
    const next = signingKeyOf(makeSigningKey());
    await appendEvents(db, 5);
    await fixture.sign();
    await appendEvents(db, 2);
    await rotateKey(fixture.signer, next);
    const again = await signHead({ ...fixture.signer, key: next }, { type: 'retirement', retired: RANGE });
    expect(again).toMatchObject({ kind: 'signed', record: { number: '8' } });
    await appendEvents(db, 3);
    await signHead({ ...fixture.signer, key: next });
    const events = await everything();
    expect(trees()).toEqual([
      { number: '5', ...treeOf(events, 0, 5, 1) },
      { number: '7', ...treeOf(events, 5, 7, 1) },
      // The rotation's own event.
      { number: '8', ...treeOf(events, 7, 8, 1) },
      { number: '8', ...treeOf(events, 8, 8, 1) },
      { number: '11', ...treeOf(events, 8, 11, 1) },
    ]);
    expect(await fixture.verify()).toMatchObject({
      kind: 'verified',
      signed: { number: 11n, provenFrom: '1' },
    });
  });

  it('R-087ac begins after what was signed before there were roots, which stays good', async () => {
    const { files, key } = fixture.signer;
    await appendEvents(db, 6);
    let state = files.readState();
    for (const record of signNumbers(await everything(), [2, 4], key)) state = files.append(state, record);
    await fixture.sign();
    await appendEvents(db, 1);
    await fixture.sign();
    const events = await everything();
    expect(trees()).toEqual([
      { number: '2' },
      { number: '4' },
      { number: '6', ...treeOf(events, 4, 6, 5) },
      { number: '7', ...treeOf(events, 6, 7, 5) },
    ]);
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { provenFrom: '5' } });
  });

  it('R-087ac R-088u covers no more events than a proof may read, so that a long backlog makes several records at once', async () => {
    const count = 2 * MOST_LEAVES + 3;
    await insertBulk(db.pool('superuser'), count, 1);
    expect(await fixture.sign()).toMatchObject({ kind: 'signed', more: false });
    const records = fixture.records() as TreeRecord[];
    expect(records.map(({ number, tree }) => [number, tree.size])).toEqual([
      ['4096', '4096'],
      ['8192', '4096'],
      ['8195', '3'],
    ]);
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { number: BigInt(count) } });
    const read: number[] = [];
    const proofs = new InclusionProofs({
      query: async (text, values) => {
        const answer = await db.pool('app').query(text, [...(values ?? [])]);
        read.push(answer.rows.length);
        // The caller names the rows that it asks for; the counter only passes them on.
        return answer as never;
      },
    });
    for (const batch of bulkEvents(count, 1)) {
      for (const { number, hash } of batch.filter((_, at) => at % 97 === 0)) {
        const record = records.find((each) => BigInt(each.number) >= BigInt(number))!;
        const { index, size, path } = await proofs.wayOf(BigInt(number), record);
        const way = { index: Number(index), size: Number(size), path };
        expect(rootAbove(leafOf(BigInt(number), hash), way)).toBe(record.tree.root);
      }
    }
    // Each record's hashes once.
    expect(read).toEqual([4096, 4096, 3]);
  }, 120_000);
});

const RANGE = {
  ...{ first: '1', last: '2', hash: 'a'.repeat(64), archive: 'a.jsonl' },
  ...{ sha256: 'b'.repeat(64), keepDays: '400' },
};
