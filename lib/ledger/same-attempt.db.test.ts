import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

/** Any number; held by the test to stop an arrival between its judgement and its answer. */
const GATE = 7_021;

let api: ProducerApiUnderTest;
beforeAll(async () => {
  api = await producerApiUnderTest();
  await api.db.pool('owner').query(`
    create function ledger.wait_at_gate() returns trigger language plpgsql as $$
    begin
      if new.trace_id = 'wait at the gate' then perform pg_advisory_xact_lock(${GATE}); end if;
      return new;
    end $$;
    create trigger intakes_0_gate before insert on ledger.intakes for each row execute function ledger.wait_at_gate();`);
});
afterAll(() => api.close());

it('R-021 R-029a a repeated claim that is taken over while it is answered never gets the new owner’s token', async () => {
  const attemptId = randomUUID();
  await api.claim('K-gate', { attemptId, leaseSeconds: 1 });
  await api.db.advanceClock('2 seconds');
  const gate = await api.db.pool('superuser').connect();
  await gate.query('select pg_advisory_lock($1)', [GATE]);
  const repeated = api.claim('K-gate', { attemptId, traceId: 'wait at the gate' });
  await expect
    .poll(
      async () =>
        (
          await gate.query(
            `select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = $1)`,
            [api.db.name],
          )
        ).rowCount,
    )
    .toBe(1);
  const takeover = await api.claim('K-gate', { attemptId: randomUUID() });
  expect(takeover.body).toMatchObject({ disposition: 'CLAIMED', fencingToken: '2' });
  await gate.query('select pg_advisory_unlock($1)', [GATE]);
  gate.release();
  const { body } = await repeated;
  expect(body['fencingToken']).not.toBe('2');
  if (body['fencingToken'] !== undefined) {
    expect(
      (await api.report(body['executionId'], 'effect-started', { fencingToken: body['fencingToken'] })).body[
        'code'
      ],
    ).toBe('FENCED');
  }
});
