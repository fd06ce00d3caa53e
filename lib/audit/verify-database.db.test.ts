import { cpSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  appendEvents,
  REHASHED,
  signerFixture,
  tamper,
  type SignerFixture,
} from '@/lib/testing/signer-fixture';
import { verifyDatabase, type VerifyAgainst } from './verify-database';

let db: TestDatabase;
let signer: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  signer = signerFixture(db);
  await appendEvents(db, 6);
  await signer.sign();
  return async () => {
    signer.remove();
    await db.drop();
  };
});

const verify = (against: Partial<VerifyAgainst> = {}) =>
  verifyDatabase(db.pool('signer'), { dataDir: null, ...against });
/** Events, links and head agree with each other again: only what was signed tells. */
const writeAnew = () =>
  tamper(db, `update review.audit_events set body = '{"n": 0}' where number = 3; ${REHASHED}`);
const takeRowsAway = () =>
  db
    .pool('superuser')
    .query(`alter table review.audit_checkpoints disable trigger all; delete from review.audit_checkpoints`);
const REWRITTEN = { exitCode: 1, text: expect.stringContaining('First bad number: 1 ') as unknown };

describe('what a verification of the database looks at by itself', () => {
  it('R-087z AU-06 the checkpoints that the database keeps, where nothing else is known', async () => {
    expect(await verify()).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(
        /Signed up to number 6[^]*against the checkpoints that the database itself/,
      ) as unknown,
    });
    expect((await verify()).text).toMatch(/\nNot verified against a key of yours: nobody but what [^\n]*$/);
    await writeAnew();
    expect(await verify()).toMatchObject(REWRITTEN);
  });

  it('R-087z AU-06 the file that the signer publishes, which speaks when the rows are gone', async () => {
    const published = `Held against those in ${signer.signer.files.checkpoints}`;
    expect(await verify({ dataDir: signer.folder })).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(published) as unknown,
    });
    await writeAnew();
    await takeRowsAway();
    expect((await verify()).text).toMatch(
      /no outside checkpoint[^\n]*\nNot verified against a key of yours: no signature [^\n]*$/,
    );
    expect(await verify({ dataDir: signer.folder })).toMatchObject(REWRITTEN);
  });

  it('R-087z AU-06 a copy of it that is named, instead of the one that lies here', async () => {
    const copy = path.join(signer.folder, 'kept-elsewhere.jsonl');
    cpSync(signer.signer.files.checkpoints, copy);
    await writeAnew();
    await takeRowsAway();
    expect(await verify({ checkpoints: copy })).toMatchObject(REWRITTEN);
    const other = signerFixture(db);
    await other.sign();
    expect((await verify({ dataDir: other.folder })).exitCode).toBe(0);
    expect(await verify({ dataDir: other.folder, checkpoints: copy })).toMatchObject(REWRITTEN);
    other.remove();
  });

  it('R-087z AU-06 the signer’s alarm, though everything that can be read agrees', async () => {
    await appendEvents(db, 2);
    await signer.sign();
    await tamper(db, `delete from review.audit_events where number > 6; ${REHASHED}`);
    expect(await signer.sign()).toMatchObject({ kind: 'alarm' });
    await takeRowsAway();
    expect(await verify()).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(
        /events 1 to 6 verified[^]*refuses to sign since .*: TRUNCATED, first bad number 7/,
      ) as unknown,
    });
  });
});
