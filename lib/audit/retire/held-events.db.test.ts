import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakGlass } from '@/lib/review/break-glass/break-glass';
import { cameAbout } from '@/lib/testing/audited-act';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { NOW, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';

let world: RetirementFixture;
let desk: DeskFixture;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  world = await retirementFixture();
  desk = await deskFixture(world.db);
});
afterAll(async () => {
  await desk.close();
  await world.close();
});

describe('events that something still needs', () => {
  it('PR-06 R-089e stay: those of an open exception, of a waiting request, of break-glass without a review; which is said', async () => {
    const doubts = doubtFixture(desk, await desk.desk());
    const { exceptionId, requestId } = await doubts.requested();
    const alone = await desk.desk({ authorities: ['money', 'break-glass'] });
    const { requestId: brokenId, digest } = await doubtFixture(desk, alone).requested();
    const reason = 'The customer stands at the counter and no approver answers.';
    await cameAbout(breakGlass(alone, { requestId: brokenId, digest, reason, operationId: randomUUID() }));
    const last = await world.cut();
    await world.db.setClock(NOW);
    const answer = await world.retire(last);
    expect(answer).toMatchObject({ outcome: 'refused', code: 'LEGAL_HOLD' });
    expect(answer.outcome === 'refused' && answer.holders).toEqual(
      expect.arrayContaining([`exception ${exceptionId}`, `request ${requestId}`, `break-glass ${brokenId}`]),
    );
    const { rows } = await world.db.pool('app').query<{
      outcome: string;
      code: string;
      body: string;
    }>(`select outcome, refusal_code as code, body from review.audit_events where event = 'audit.retired' order by number desc limit 1`);
    expect(rows).toEqual([
      { outcome: 'refused', code: 'LEGAL_HOLD', body: expect.stringContaining(exceptionId) as unknown },
    ]);
    expect(await world.numbers()).toMatchObject({ first: '1' });
  });
});
