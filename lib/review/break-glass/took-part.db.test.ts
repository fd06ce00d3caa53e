// Who reviews an emergency has had no part in what led to it, in whatever way.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addManualEvidence } from '@/lib/review/add-manual-evidence';
import { assignException } from '@/lib/review/assign-exception';
import { commentException } from '@/lib/review/comment-exception';
import type { LookingContext } from '@/lib/review/desk-context';
import { lookUpNow } from '@/lib/review/look-up-now';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { breakGlass } from './break-glass';
import { reviewBreakGlass } from './review-break-glass';

let db: TestDatabase;
let desk: DeskFixture;
let alone: LookingContext;
let approver: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
});
beforeEach(async () => {
  alone = await desk.desk({ authorities: ['money', 'break-glass'] });
  approver = await desk.desk({ roles: ['APPROVER'] });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Puts somebody in charge, or nobody. */
async function assign(by: LookingContext, exceptionId: string, assigneeId: string | null): Promise<void> {
  const { exceptionVersion } = (await desk.seen(by, exceptionId)).form;
  const act = { exceptionId, exceptionVersion, operationId: randomUUID(), assigneeId };
  expect(await assignException(by, act)).toMatchObject({ outcome: 'done' });
}

async function comment(by: LookingContext, exceptionId: string): Promise<void> {
  const { exceptionVersion } = (await desk.seen(by, exceptionId)).form;
  const text = 'Break the glass, I will wave it through.';
  const said = { exceptionId, exceptionVersion, operationId: randomUUID(), text };
  expect(await commentException(by, said)).toMatchObject({ outcome: 'done' });
}

async function lookByHand(by: LookingContext, exceptionId: string): Promise<void> {
  const { form } = await desk.seen(by, exceptionId);
  const seen = {
    place: 'Payment console',
    seen: 'I looked and there was nothing there.',
  };
  const { executionVersion } = form;
  const told = {
    exceptionId,
    executionVersion,
    operationId: randomUUID(),
    verdict: 'NOT_APPLIED',
    contentAgrees: true,
    ...seen,
  };
  expect(await addManualEvidence(by, told)).toMatchObject({ outcome: 'done' });
}

/** A use of the emergency, and the approver's review of it. */
async function used() {
  const { requestId, digest, exceptionId } = await doubtFixture(desk, alone).requested();
  const reason = 'The customer stands at the counter and no approver answers.';
  const rationale = 'Nobody could be reached, and it was looked up.';
  return {
    exceptionId,
    use: async () =>
      expect(await breakGlass(alone, { requestId, digest, reason, operationId: randomUUID() })).toMatchObject(
        {
          outcome: 'done',
        },
      ),
    review: () =>
      reviewBreakGlass(approver, { requestId, finding: 'JUSTIFIED', rationale, operationId: randomUUID() }),
  };
}

describe('the review of an emergency', () => {
  it.each<[string, (exceptionId: string) => Promise<void>]>([
    [
      'was in charge for a while',
      async (exceptionId) => {
        await assign(alone, exceptionId, approver.actor.personId);
        await assign(alone, exceptionId, null);
      },
    ],
    ['put somebody else in charge', (exceptionId) => assign(approver, exceptionId, alone.actor.personId)],
    ['commented', (exceptionId) => comment(approver, exceptionId)],
    ['wrote down evidence', (exceptionId) => lookByHand(approver, exceptionId)],
  ])('R-082e FE-14 is not of an approver who %s', async (_, act) => {
    const { exceptionId, use, review } = await used();
    await act(exceptionId);
    await use();
    expect(await review()).toMatchObject({ outcome: 'refused', code: 'TOOK_PART' });
  });

  it('R-082e FE-14 nor of one who took part while the use was open', async () => {
    const { exceptionId, use, review } = await used();
    await use();
    await comment(approver, exceptionId);
    expect(await review()).toMatchObject({ outcome: 'refused', code: 'TOOK_PART' });
  });

  it('R-082e FE-14 is of one who had the system asked, and who asked questions afterwards', async () => {
    const { exceptionId, use, review } = await used();
    expect(await lookUpNow(approver, { exceptionId })).toMatchObject({ outcome: 'done' });
    await use();
    await db.advanceClock('16 minutes');
    await comment(approver, exceptionId);
    expect(await review()).toMatchObject({ outcome: 'done' });
  });
});
