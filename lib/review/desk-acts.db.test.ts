import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { fingerprint, NORTH } from '@/lib/testing/ledger-fixture';
import { sweepDesk } from '@/lib/testing/sweep-desk';
import { assignException } from './assign-exception';
import { commentException } from './comment-exception';
import { deferException } from './defer-exception';
import type { LookingContext } from './desk-context';

let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

const stateOf = async (id: string) => (await desk.ledger.row(id)).state;

describe('acts that settle nothing', () => {
  it('R-049a assigning, commenting and deferring leave the exception open, owned and dated', async () => {
    const { exceptionId, id } = await desk.unknownPayment();
    const seen = async () => {
      const { form } = await desk.seen(operator, exceptionId);
      return { exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() };
    };
    expect(
      await assignException(operator, { ...(await seen()), assigneeId: operator.actor.personId }),
    ).toMatchObject({ outcome: 'done' });
    expect(await commentException(operator, { ...(await seen()), text: 'Asked the shop.' })).toMatchObject({
      outcome: 'done',
    });
    const { rows: clock } = await db
      .pool('owner')
      .query<{ until: string }>(`SELECT ledger.instant(ledger.clock() + interval '1 hour') AS until`);
    const deferral = {
      until: clock[0]!.until,
      place: 'The bank’s console',
      reason: 'They answer in the afternoon.',
    };
    expect(await deferException(operator, { ...(await seen()), ...deferral })).toMatchObject({
      outcome: 'done',
    });
    const { rows } = await db
      .pool('owner')
      .query('SELECT state, assignee_id, next_place FROM review.exceptions WHERE exception_id = $1', [
        exceptionId,
      ]);
    expect(rows).toEqual([
      { state: 'OPEN', assignee_id: operator.actor.personId, next_place: deferral.place },
    ]);
    expect(await stateOf(id)).toBe('UNKNOWN');
  });

  it('R-049a R-086e the end of a deferral is an event of the sweep, once for each exception', async () => {
    const { exceptionId, id } = await desk.unknownPayment();
    const { rows: clock } = await db
      .pool('owner')
      .query<{ until: string }>(`SELECT ledger.instant(ledger.clock() + interval '1 hour') AS until`);
    const until = clock[0]!.until;
    const { form } = await desk.seen(operator, exceptionId);
    await deferException(operator, {
      ...{ exceptionId, exceptionVersion: form.exceptionVersion, operationId: randomUUID() },
      ...{ until, place: 'The bank’s console', reason: 'They answer in the afternoon.' },
    });
    const ended = async () => {
      const { rows } = await db.pool('owner').query(
        `SELECT actor_id, execution_id, operation, body::jsonb FROM review.audit_events
          WHERE event = 'exception.deferral_ended' AND exception_id = $1`,
        [exceptionId],
      );
      return rows;
    };
    await sweepDesk(db);
    expect(await ended()).toEqual([]);
    await db.advanceClock('61 minutes');
    await sweepDesk(db);
    await sweepDesk(db);
    expect(await ended()).toEqual([
      {
        actor_id: 'system:sweep',
        execution_id: id,
        operation: 'create-payment',
        body: expect.objectContaining({ until }),
      },
    ]);
  });

  it('R-052 while the doubt is open its key is not executed again', async () => {
    const { key } = await desk.unknownPayment();
    const { rows } = await db
      .pool('app')
      .query<{ answer: unknown }>('SELECT ledger.claim_as($1, $2) AS answer', [
        NORTH,
        {
          operation: 'create-payment',
          key,
          fingerprint: fingerprint('content'),
          target: { system: 'payment', account: 'main' },
        },
      ]);
    expect(rows[0]!.answer).toMatchObject({ code: 'RECONCILE_REQUIRED', execution: { underReview: true } });
  });
});
