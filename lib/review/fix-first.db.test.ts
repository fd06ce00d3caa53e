import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { allowAttempts } from './allow-attempts';

const OPERATION = 'needs-a-permission';
let db: TestDatabase;
let desk: DeskFixture;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  await desk.ledger.policy(OPERATION, {
    outcome_codes: {
      NO_SCOPE: { class: 'FIX_FIRST', condition: 'The owner of the mailbox grants the scope.' },
    },
  });
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

it('R-037d a person sees what to fix, and who allows attempts lets one claim through; failing alike asks again', async () => {
  const operator = await desk.desk();
  const key = randomUUID();
  const refusedAt = async (fencingToken: string) => {
    const { execution } = await desk.ledger.claim(key, { operation: OPERATION });
    expect(execution).toMatchObject({ fencingToken, state: 'PROCESSING' });
    const failure = { retryable: true, code: 'NO_SCOPE', message: 'scope missing' };
    await desk.ledger.report('fail', execution!.executionId, { fencingToken, ...failure });
    return execution!.executionId;
  };
  const id = await refusedAt('1');
  const { view, form } = await desk.seen(operator, await desk.exceptionOf(id, 'RETRY_STALLED'));
  expect(view.exception.reasonCode).toBe('FIX_FIRST');
  expect(view.execution).toMatchObject({
    failureCode: 'NO_SCOPE',
    failureCondition: 'The owner of the mailbox grants the scope.',
  });
  expect(await allowAttempts(operator, { ...form, attempts: 2 })).toMatchObject({ outcome: 'done' });

  await refusedAt('2');
  const claim = { operation: OPERATION };
  expect(await desk.ledger.claim(key, claim)).toMatchObject({ disposition: 'ATTEMPTS_EXHAUSTED' });
  expect(await desk.ledger.exceptions(id)).toMatchObject([
    { kind: 'RETRY_STALLED', state: 'CLOSED' },
    { kind: 'RETRY_STALLED', state: 'OPEN', reason_code: 'FIX_FIRST' },
  ]);
});
