import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { installSecondVerifier, secondMisdated } from '@/lib/testing/second-verifier';
import { appendEvents, signerFixture, tamper, type SignerFixture } from '@/lib/testing/signer-fixture';
import { readRecords } from './audit-records';
import { chainStatus } from './chain-status';
import { signHead } from './signer/sign-head';
import { verifyChain } from './verify-chain';
import { reportLog } from './verifier/report.mjs';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
  await db.setClock('2026-11-29T08:00:00Z');
  await appendEvents(db, 3);
  await fixture.sign();
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});

const second = async () => {
  await installSecondVerifier(db.pool('superuser'));
  return secondMisdated(db.pool('superuser'), await readRecords(db.pool('signer'), null, 1_000));
};

describe('times', () => {
  it('R-087w AU-22 of an event that contradict the one before are located, told by all, and not signed until somebody has looked', async () => {
    await db.setClock('2025-10-25T08:00:00Z');
    await appendEvents(db, 1);
    await db.setClock('2026-11-29T08:00:10Z');
    await appendEvents(db, 2);
    expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm: { code: 'CLOCK', number: 4n } });
    const found = await fixture.verify();
    expect(found).toMatchObject({
      kind: 'verified',
      misdated: { number: 4n, at: '2025-10-25T08:00:00.000000Z' },
    });
    expect(reportLog(found)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('from number 4 on') as unknown,
    });
    expect(await second()).toBe(4n);
    expect((await chainStatus(db.pool('app'))).verification).toMatchObject({ misdated: { number: 4n } });
    expect(await signHead({ ...fixture.signer, acceptTimes: true })).toMatchObject({ kind: 'signed' });
    expect(await fixture.verify()).toMatchObject({ misdated: { number: 4n }, signed: { number: 6n } });
    // A fault behind it is found all the same.
    await tamper(db, `update review.audit_events set actor_name = 'X' where number = 5`);
    expect(await fixture.verify()).toEqual({ kind: 'broken', fault: { number: 5n, reason: 'CHANGED' } });
  });

  it('R-087w AU-22 of an event after its own signature are told', async () => {
    await db.setClock('2027-11-29T08:00:00Z');
    await appendEvents(db, 1);
    await db.setClock('2026-11-29T08:00:10Z');
    expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm: { code: 'CLOCK', number: 4n } });
    await signHead({ ...fixture.signer, acceptTimes: true });
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', misdated: { number: 4n } });
  });

  it('R-087w a clock that is corrected by a little is nothing to tell', async () => {
    await db.setClock('2026-11-29T07:56:00Z');
    await appendEvents(db, 1);
    expect(await fixture.sign()).toMatchObject({
      kind: 'signed',
      record: { signedAt: '2026-11-29T08:00:00.000000Z' },
    });
    const found = await fixture.verify();
    expect(found).not.toHaveProperty('misdated');
    expect(reportLog(found).exitCode).toBe(0);
    expect(await second()).toBeNull();
  });

  it.each([
    ['ahead', '2026-11-29T08:05:01Z'],
    ['behind', '2026-11-29T07:54:59Z'],
  ])(
    'R-087w AU-22 the signer signs by its own clock, and not while the database’s is %s of it',
    async (_, own) => {
      const signer = { ...fixture.signer, now: () => own.replace('Z', '.000000Z') };
      await appendEvents(db, 1);
      expect(await signHead(signer)).toEqual({ kind: 'alarm', alarm: { code: 'CLOCK', number: null } });
      const { rows } = await db.pool('app').query('select alarm from review.audit_signer');
      expect(rows).toEqual([{ alarm: 'CLOCK' }]);
      expect(await fixture.sign()).toMatchObject({ kind: 'signed' });
    },
  );

  it.each(['0004-11-29 08:00:00Z BC', '-infinity', 'infinity'])(
    'R-087x AU-03 moved to %s: the event is changed',
    async (at) => {
      const moved = at.endsWith('BC') ? `occurred_at - interval '4052 years'` : `'${at}'`;
      await tamper(db, `update review.audit_events set occurred_at = ${moved} where number = 2`);
      expect(await verifyChain(db.pool('signer'))).toEqual({
        kind: 'broken',
        fault: { number: 2n, reason: 'CHANGED' },
      });
    },
  );

  it('R-087x AU-03 the same day before Christ is another time, in both implementations', async () => {
    const { rows } = await db
      .pool('superuser')
      .query<{ text: string }>(
        `select review.audit_instant(at) as text from (values ('2026-11-29T08:00:00Z'::timestamptz), ('2026-11-29 08:00:00Z BC')) v (at)`,
      );
    expect(rows.map(({ text }) => text)).toEqual([
      '2026-11-29T08:00:00.000000Z',
      '2026-11-29T08:00:00.000000Z BC',
    ]);
    await tamper(
      db,
      `update review.audit_events set occurred_at = '2026-11-29 08:00:00Z BC' where number = 2`,
    );
    expect(await verifyChain(db.pool('signer'))).toEqual({
      kind: 'broken',
      fault: { number: 2n, reason: 'CHANGED' },
    });
    const { rows: theirs } = await db
      .pool('superuser')
      .query<{ bad: string }>(
        'select min(number)::text as bad from review.audit_events e where review.audit_hash(e) <> hash',
      );
    expect(theirs).toEqual([{ bad: '2' }]);
  });

  it.each([
    ['for an event that does not exist', 100_000],
    ['for an event in its midst that has none', 2],
  ])('R-087q a text %s is found', async (_, number) => {
    await db
      .pool('superuser')
      .query(`insert into review.audit_texts values ($1, 'text', sha256(''), 'planted')`, [number]);
    expect(await verifyChain(db.pool('signer'))).toEqual({
      kind: 'broken',
      fault: { number: BigInt(number), reason: 'TEXT' },
    });
  });
});
