import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '@/lib/audit/audit-records';
import { verifyChain } from '@/lib/audit/verify-chain';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { changePerson, deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture, type DoubtFixture } from '@/lib/testing/doubt-fixture';
import { installSecondVerifier, secondHash } from '@/lib/testing/second-verifier';
import { confirmNotApplied } from './confirm-not-applied';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';
import { readKeptLooks } from './read-kept-looks';

let db: TestDatabase;
let desk: DeskFixture;
let doubts: DoubtFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk({ authorities: ['money', 'sending'] });
  doubts = doubtFixture(desk, operator);
  await db
    .pool('owner')
    .query(
      `update ledger.operation_policies set value_field = '/amount', value_currency = 'KRW' where operation = 'create-payment' and retired_at is null`,
    );
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const eventOf = async (exceptionId: string, event: string, outcome = 'done') =>
  (await desk.audit({ exceptionId })).findLast((row) => row.event === event && row.outcome === outcome)!.body;

describe('the moment of an act', () => {
  it('R-086i tells the authorities that the person held, those of a refusal too, and of the system none', async () => {
    const { exceptionId, form } = await doubts.paid();
    await linkResult(operator, { ...form, executionVersion: '0' });
    await linkResult(operator, form);
    await changePerson(db, operator.actor.personId, `authorities = '{money}'`);
    for (const outcome of ['refused', 'done'])
      expect(await eventOf(exceptionId, 'decision.result_linked', outcome)).toMatchObject({
        authoritiesThen: ['money', 'sending'],
      });
    const { exceptionId: unread } = await desk.unknownPayment();
    desk.answerItems();
    await doubts.look(unread);
    expect(await eventOf(unread, 'lookup.recorded')).not.toHaveProperty('stakeAmount');
    const { rows } = await db
      .pool('owner')
      .query(`select from review.audit_events where actor_kind = 'system' and body like '%authoritiesThen%'`);
    expect(rows).toHaveLength(0);
  });

  it('R-086i the chain holds it as it holds the rest: every implementation finds the same hash', async () => {
    await installSecondVerifier(db.pool('superuser'));
    const events = await readRecords(db.pool('app'), null, 500);
    const told = events.filter(({ body }) => body.includes('authoritiesThen'));
    expect(told.length).toBeGreaterThan(1);
    for (const event of told) expect(await secondHash(db.pool('superuser'), event)).toBe(event.hash);
    expect(await verifyChain(db.pool('app'))).toMatchObject({ kind: 'verified' });
  });

  it('R-086j tells the value at stake with its currency and where the effect goes, as the page showed them', async () => {
    const paid = await doubts.paid();
    const { view } = await desk.seen(operator, paid.exceptionId);
    await linkResult(operator, paid.form);
    const amount = {
      stakeAmount: view.execution!.amount!.value,
      stakeCurrency: view.execution!.amount!.currency,
    };
    const place = {
      targetSystem: view.execution!.targetSystem,
      targetAccount: view.execution!.targetAccount,
    };
    expect(Object.values({ ...amount, ...place })).not.toContain(null);
    expect(await eventOf(paid.exceptionId, 'decision.result_linked')).toMatchObject({ ...amount, ...place });

    const unpaid = await doubts.unpaid();
    await confirmNotApplied(operator, unpaid.form);
    expect(await eventOf(unpaid.exceptionId, 'decision.confirm_not_applied_requested')).toMatchObject({
      ...amount,
      ...place,
    });
  });

  it('R-086j of a new key the exposure tells the amounts, and no second figure stands beside it', async () => {
    const { exceptionId } = await doubts.requested();
    const asked = await eventOf(exceptionId, 'reissue.requested');
    expect(asked).toMatchObject({ exposure: { newAmount: '120.50' }, targetAccount: 'main' });
    expect(asked).not.toHaveProperty('stakeAmount');
  });

  it('R-086j the looks that an event names are read whole, with the digest that the chain recorded, by nobody else', async () => {
    const { exceptionId, form, key } = await doubts.paid();
    const recorded = await eventOf(exceptionId, 'lookup.recorded');
    const ctx = { actor: operator.actor, db: db.pool('app') };
    const look = (await readKeptLooks(ctx, [form.evidenceId])).get(form.evidenceId)!;
    expect(look).toMatchObject({
      digest: recorded['evidenceDigest'],
      accountFound: 'main',
      resultId: `PAY-${key}`,
    });
    expect(look.questionUrl).toContain(encodeURIComponent(key));
    expect(look.comparison.map(({ agrees }) => agrees)).not.toContain(null);
    const south = await desk.desk({ tenants: ['tenant-south'] });
    expect((await readKeptLooks({ ...ctx, actor: south.actor }, [form.evidenceId])).size).toBe(0);
  });
});
