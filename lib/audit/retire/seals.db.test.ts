import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';
import { chainStatus } from '../chain-status';

let world: RetirementFixture;
beforeEach(async () => {
  world = await retirementFixture();
  await world.append(12);
  await world.cut();
  await world.db.setClock(NOW);
});
afterEach(() => world.close());

const tamper = (sql: string) =>
  world.db.pool('superuser').query(`alter table review.audit_events disable trigger all; ${sql};
    alter table review.audit_events enable trigger all`);
const fault = (number: bigint, reason: string) => ({ kind: 'broken', fault: { number, reason } });

describe('the signer’s word that events may leave', () => {
  it('R-087r R-087u AU-20 one that nobody but the signer could justify is found, by both, by the page and by the signer', async () => {
    // A whole false retirement, told by the chain itself and anchored at a number that is signed.
    await world.db.pool('superuser').query(`
      begin; set local onceover.actor_kind = 'system'; set local onceover.actor_id = 'system:audit-retire'; set local onceover.request_id = 'r';
      ${['audit_events', 'audit_events_1', 'audit_events_13'].map((table) => `alter table review.${table} disable trigger user;`).join(' ')}
      insert into review.audit_retirements select 13, 1, hash, (select hash from review.audit_events where number = 1), 'nothing.jsonl',
        sha256('nothing'), ledger.clock(), 'system:audit-retire', 14 from review.audit_events where number = 13;
      delete from review.audit_events where number <= 13;
      select review.append_audit('audit.retired', 'done', null, null, null, null, null, null, null, jsonb_build_object('last', '13',
        'sha256', encode(sha256('nothing'), 'hex'), 'anchors', review.anchors_digest()));
      commit`);
    expect(await world.verify()).toEqual(fault(13n, 'ANCHOR'));
    expect((await chainStatus(world.db.pool('app'))).verification).toEqual(fault(13n, 'ANCHOR'));
    expect(await world.signer.sign()).toEqual({ kind: 'alarm', alarm: { code: 'BROKEN', number: 13n } });
    // A fault behind it does not hide it.
    await tamper(`update review.audit_events set actor_name = 'X' where number = 14`);
    expect(await world.verify()).toEqual(fault(13n, 'ANCHOR'));
  });

  it.each([
    ['with another archive', { sha256: 'ab'.repeat(32) }],
    ['that does not begin where the last one ended', { first: '2' }],
    ['whose end was signed too lately', { last: '13' }],
  ])('R-087u the signer does not give its word for a range %s', async (_, change) => {
    const before = world.signer.records().length;
    const { first, last, sha256 } = { first: '1', last: '12', sha256: 'cd'.repeat(32), ...change };
    await world.db
      .pool('owner')
      .query(`select review.propose_retirement($1, $2, 'a.jsonl', decode($3, 'hex'))`, [first, last, sha256]);
    expect(await world.signer.sign()).toMatchObject({ kind: 'nothing-new' });
    expect(world.signer.records()).toHaveLength(before);
  });

  it('R-087u nor for one that is too young by the times that it signed, however old its events call themselves', async () => {
    await world.append(3);
    await world.db.pool('owner').query('select review.cut_audit(0)');
    await tamper(`update review.audit_retention set keep_days = 400; alter table review.audit_retention drop constraint audit_retention_days_known;
      update review.audit_retention set keep_days = 1`);
    await world.append(1);
    await world.signUp();
    await world.db.advanceClock('29 days');
    expect(await world.retire(16n)).toMatchObject({
      outcome: 'unproven',
      text: expect.stringContaining('The signer has not signed') as unknown,
    });
    expect(await world.numbers()).toMatchObject({ first: '1' });
  });

  it('R-087u nothing is dropped on the word of a row that the published file does not hold', async () => {
    await expect(
      world.db.pool('owner').query(`select review.retire_audit(12, 'a.jsonl', sha256(''), 0)`),
    ).rejects.toMatchObject({ code: 'OA006' });
    const rows = () =>
      world.db.pool('superuser').query(`insert into review.audit_checkpoints
      select 1000, 'retirement', 13, ledger.clock(), 'k', jsonb_build_object('retired', jsonb_build_object('last', last_number::text,
        'archive', archive, 'sha256', encode(sha256, 'hex'))) from review.audit_retirement_proposals returning 1`);
    const retiring = world.retireAlone();
    await expect.poll(async () => (await rows()).rowCount, { timeout: 20_000 }).toBe(1);
    expect(await retiring).toMatchObject({
      outcome: 'unproven',
      text: expect.stringContaining('does not hold the signer') as unknown,
    });
    expect(await world.numbers()).toMatchObject({ first: '1' });
  });
});
