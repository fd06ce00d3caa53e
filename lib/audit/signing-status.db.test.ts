import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  appendEvents,
  REHASHED,
  signerFixture,
  tamper,
  type SignerFixture,
} from '@/lib/testing/signer-fixture';
import { keptTrail } from './kept-trail';
import { signedBy } from './signed-by';
import { signingStatus } from './signing-status';
import { verifyChain } from './verify-chain';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
  await db.setClock('2026-12-01T10:00:00Z');
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});
const status = () => signingStatus(db.pool('app'));

describe('how far the audit is signed', () => {
  it('R-087o AU-19 tells the unsigned window, and that it is late after two minutes; work goes on', async () => {
    expect(await status()).toMatchObject({ state: 'signed', signed: null, since: 0 });
    await appendEvents(db, 2);
    await fixture.sign();
    expect(await status()).toEqual({
      state: 'signed',
      signed: { number: '2', at: '2026-12-01T10:00:00.000000Z', keyId: fixture.signer.key.keyId },
      since: 0,
      sinceAt: null,
      alarm: null,
    });
    await db.advanceClock('10 minutes');
    expect((await status()).state).toBe('signed');
    await appendEvents(db, 3);
    await db.advanceClock('120 seconds');
    expect(await status()).toMatchObject({
      state: 'signed',
      since: 3,
      sinceAt: '2026-12-01T10:10:00.000000Z',
    });
    await db.advanceClock('1 second');
    expect((await status()).state).toBe('late');
    await appendEvents(db, 1);
    await fixture.sign();
    expect(await status()).toMatchObject({ state: 'signed', since: 0, signed: { number: '6' } });
  });

  it('R-088m each event names the first checkpoint that reaches it, and none while nothing does', async () => {
    await appendEvents(db, 2);
    await fixture.sign();
    await appendEvents(db, 2);
    await fixture.sign();
    await appendEvents(db, 1);
    const by = (number: string) => signedBy(number, db.pool('app'));
    expect(await by('1')).toEqual({
      ...{ number: '2', at: '2026-12-01T10:00:00.000000Z', keyId: fixture.signer.key.keyId },
    });
    expect(await by('3')).toMatchObject({ number: '4' });
    expect(await by('5')).toBeNull();
  });

  it('R-087o SC-06 a log that nobody ever signs is told too', async () => {
    await appendEvents(db, 1);
    await db.advanceClock('121 seconds');
    expect(await status()).toMatchObject({ state: 'unsigned', signed: null, since: 1 });
  });

  it('R-087o AU-06 the signer’s alarm stands before everything else', async () => {
    await appendEvents(db, 4);
    await fixture.sign();
    await tamper(db, `delete from review.audit_events where number > 2; ${REHASHED}`);
    await fixture.sign();
    expect(await status()).toMatchObject({
      state: 'alarm',
      since: 0,
      alarm: { code: 'TRUNCATED', number: '3', since: '2026-12-01T10:00:00.000000Z' },
    });
  });
});

describe('the checkpoints that the database keeps', () => {
  it('R-087m show the page what was written anew or cut off by somebody without the key', async () => {
    expect(await keptTrail(db.pool('app'))).toBeNull();
    for (let n = 0; n < 5; n += 1) {
      await appendEvents(db, 2);
      await fixture.sign();
    }
    const look = async () => verifyChain(db.pool('app'), { openTrail: () => keptTrail(db.pool('app')) });
    expect(await look()).toMatchObject({ kind: 'verified', signed: { number: 10n } });
    await tamper(db, `update review.audit_events set body = '{"n": 0}' where number = 7; ${REHASHED}`);
    expect(await look()).toEqual({ kind: 'broken', fault: { number: 7n, reason: 'REWRITTEN' } });
  });

  it('R-087m are asked for by their places: every change of keys, and a bounded number of the others', async () => {
    await tamper(
      db,
      `insert into review.audit_checkpoints
         select n, case n when 7777 then 'rotation' else 'checkpoint' end, n, ledger.clock(), 'k', format('{"sequence": "%s"}', n)
           from generate_series((select coalesce(max(sequence), 0) + 1 from review.audit_checkpoints), 50_000) n;
       analyze review.audit_checkpoints`,
    );
    const app = db.pool('app');
    const plans: string[] = [];
    const kept = await keptTrail({
      query: async (text, values) => {
        const { rows } = await app.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...(values ?? [])]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return app.query(text, [...(values ?? [])]);
      },
    });
    const places: number[] = [];
    for (let next = await kept!.lines.next(); next.done !== true; next = await kept!.lines.next())
      places.push(Number((JSON.parse(next.value) as { sequence: string }).sequence));
    expect(places.length).toBeLessThan(450);
    expect(places).toEqual(expect.arrayContaining([7_777, 250, 25_000, 49_801, 49_802, 50_000]));
    expect(plans.join()).toContain('audit_checkpoints_key_changes');
    expect(plans.join()).not.toContain('Seq Scan on audit_checkpoints');
  });
});
