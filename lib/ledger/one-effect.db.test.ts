// Acceptance: one effect for each intent, counted in the data of a real outside system that knows no keys.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerClient, type LedgerClient } from '@/lib/ledger/client';
import { systemUrl } from '@/lib/sandbox/settings';
import { SystemsUnderTest } from '@/lib/sandbox/systems/systems-under-test';
import { createRecord, recordsOf, type Crm } from '@/lib/testing/crm-effect';
import { faultProxy, type FaultProxy } from '@/lib/testing/fault-proxy';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';
import { startProgram } from '@/lib/testing/program';

const systems = new SystemsUnderTest();
let api: ProducerApiUnderTest;
let client: LedgerClient;
let crm: Crm;
let network: FaultProxy;

beforeAll(async () => {
  await systems.start();
  crm = { url: systemUrl(systems.settings, 'crm'), secret: systems.settings.crm.secret };
  api = await producerApiUnderTest();
  client = createLedgerClient({ baseUrl: api.url, token: api.tokens.north });
  network = await faultProxy({ host: '127.0.0.1', port: api.port });
}, 60_000);
afterEach(() => api.db.setClock(null));
afterAll(async () => {
  await network.close();
  await api.close();
  await systems.stop();
});

const request = (key: string) => ({
  key,
  operation: 'create-record',
  requestId: `r-${key}`,
  payload: { n: 1 },
});
const never = () => Promise.reject(new Error('must not run'));

function automation(key: string, more: object = {}) {
  return startProgram('create-records', {
    ledgerUrl: api.url,
    token: api.tokens.north,
    crm,
    request: request(key),
    calls: 1,
    ...more,
  });
}

/** What is committed: the record's state, its attempts, and how many arrivals of each kind. */
async function committed(key: string) {
  const row = await api.execution(key);
  const { rows } = await api.db
    .pool('owner')
    .query<{ outcome: string | null }>(
      'select outcome from ledger.attempts where execution_id = $1 order by attempt',
      [row?.['execution_id']],
    );
  return {
    state: row?.['state'],
    resultId: row?.['result_id'],
    attempts: rows.map(({ outcome }) => outcome),
    intakes: (await api.intakes(key)).length,
  };
}

async function openExceptions(key: string): Promise<string[]> {
  const { rows } = await api.db.pool('owner').query<{ kind: string }>(
    `select x.kind from review.exceptions x join ledger.executions e using (execution_id)
     where e.idempotency_key = $1 and x.closed_at is null`,
    [key],
  );
  return rows.map(({ kind }) => kind);
}

describe('R-010 R-026 one effect, seen in the outside system', () => {
  it('R-010a ten equal requests at once, in two processes', async () => {
    const key = `ten-${randomUUID()}`;
    const programs = [automation(key, { calls: 5 }), automation(key, { calls: 5 })];
    await Promise.all(programs.map((program) => program.reaches('ready')));
    for (const program of programs) program.go();
    const said = await Promise.all(programs.map((program) => program.reaches('done')));
    const kinds = said.flatMap((each) => each.kinds as string[]);
    expect(kinds.filter((kind) => kind === 'COMPLETED')).toHaveLength(1);
    expect(kinds.every((kind) => ['COMPLETED', 'DUPLICATE_HELD', 'REPLAYED'].includes(kind))).toBe(true);
    const [record, ...others] = await recordsOf(crm, key);
    expect(others).toEqual([]);
    expect(await committed(key)).toEqual({
      state: 'SUCCEEDED',
      resultId: record,
      attempts: ['SUCCEEDED'],
      intakes: 10,
    });
  }, 60_000);

  it('R-028b R-036 the process dies between the effect and its report: never repeated, open in the queue, settled late', async () => {
    const key = `death-${randomUUID()}`;
    const program = automation(key, { stopAfterEffect: true });
    await program.reaches('ready');
    program.go();
    await program.reaches('effect done');
    await program.kill();
    expect(await client.once(request(key), never)).toMatchObject({ kind: 'DUPLICATE_HELD' });
    await api.db.advanceClock('10 minutes');
    expect(await client.once(request(key), never)).toMatchObject({
      kind: 'REFUSED',
      code: 'RECONCILE_REQUIRED',
    });
    expect(await openExceptions(key)).toEqual(['STUCK_PROCESSING']);
    const records = await recordsOf(crm, key);
    expect(records).toHaveLength(1);
    // What the lookup finds there is what the owner's token may still tell.
    const { execution_id: executionId, fencing_token: fencingToken } = (await api.execution(key)) as Record<
      string,
      string
    >;
    await client.complete(executionId!, { fencingToken: fencingToken!, resultId: records[0]! });
    expect(await client.once(request(key), never)).toMatchObject({
      kind: 'RESULT_REUSED',
      resultId: records[0],
    });
    expect(await recordsOf(crm, key)).toEqual(records);
    expect(await openExceptions(key)).toEqual([]);
  }, 60_000);

  it('R-026 the process dies when its success is stored and not yet answered: the next one replays it', async () => {
    const key = `answer-${randomUUID()}`;
    const program = automation(key, { ledgerUrl: `http://127.0.0.1:${network.port}` });
    await program.reaches('ready');
    network.withholdAnswerTo('/complete ');
    program.go();
    await expect.poll(async () => (await committed(key)).state, { timeout: 20_000 }).toBe('SUCCEEDED');
    await program.kill();
    expect(network.struck.at(-1)).toBe('withheld /complete ');
    const again = automation(key);
    await again.reaches('ready');
    again.go();
    expect(await again.reaches('done')).toMatchObject({ kinds: ['REPLAYED'] });
    const records = await recordsOf(crm, key);
    expect(records).toHaveLength(1);
    expect(await committed(key)).toMatchObject({ resultId: records[0], attempts: ['SUCCEEDED'], intakes: 2 });
  }, 60_000);

  it('R-031 a late webhook completes what was unknown; sent twice it changes nothing more', async () => {
    const key = `webhook-${randomUUID()}`;
    const outcome = await client.once(request(key), () => createRecord(crm, key, 'drop-after-commit'));
    expect(outcome).toMatchObject({ kind: 'IN_DOUBT', execution: { state: 'UNKNOWN', fencingToken: '1' } });
    expect(await openExceptions(key)).toEqual(['UNKNOWN_RESULT']);
    expect(await client.once(request(key), never)).toMatchObject({ code: 'RECONCILE_REQUIRED' });
    const [resultId] = await recordsOf(crm, key);
    const { executionId } = outcome as { executionId: string };
    const webhook = () => client.complete(executionId, { fencingToken: '1', resultId: resultId! });
    const [first, second] = await Promise.all([webhook(), webhook()]);
    expect([first, second]).toMatchObject([{ kind: 'OK' }, { kind: 'OK' }]);
    expect(await client.once(request(key), never)).toMatchObject({ kind: 'RESULT_REUSED', resultId });
    expect(await recordsOf(crm, key)).toEqual([resultId]);
    expect(await committed(key)).toMatchObject({ state: 'SUCCEEDED', resultId, attempts: ['SUCCEEDED'] });
    expect(await openExceptions(key)).toEqual([]);
  });

  it('R-043 a retry just before expiry is a replay, from expiry on a refusal; neither is a second effect', async () => {
    const key = `expiry-${randomUUID()}`;
    await client.once(request(key), () => createRecord(crm, key));
    const { expires_at } = (await api.execution(key)) as { expires_at: Date };
    const retryAt = async (offset: number) => {
      await api.db.setClock(new Date(expires_at.getTime() + offset).toISOString());
      return client.once(request(key), () => createRecord(crm, key));
    };
    const before = await Promise.all([retryAt(-1), retryAt(-1)]);
    expect(before.map(({ kind }) => kind)).toEqual(['REPLAYED', 'REPLAYED']);
    expect(await retryAt(1)).toMatchObject({ kind: 'REFUSED', code: 'IDEMPOTENCY_KEY_EXPIRED' });
    expect(await recordsOf(crm, key)).toHaveLength(1);
    expect(await openExceptions(key)).toEqual(['EXPIRED_KEY']);
  });
});
