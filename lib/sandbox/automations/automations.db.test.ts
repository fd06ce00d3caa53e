import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { startSandboxDemo, type SandboxDemo } from '@/lib/testing/sandbox-demo';
import { CALM, DANGEROUS } from './scenarios';

interface OpenException {
  kind: string;
  key: string | null;
  operation: string;
  scenario: string;
  state: string | null;
  resultId: string | null;
  reportedResultId: string | null;
}

/** Milliseconds: some thirty processes one after the other, on a machine that may have much else to do. */
const PATIENCE = 180_000;
/** Its exception closes by itself as soon as the late result comes. */
const NOT_TO_THE_END = ['late-result'];

let db: TestDatabase;
let demo: SandboxDemo;
let executor: Promise<unknown>;
let started: Promise<void>;
const runs: Promise<unknown>[] = [];
let exceptions: OpenException[] = [];

async function readExceptions(): Promise<OpenException[]> {
  const { rows } = await db.pool('owner').query<OpenException>(`
    select x.kind, e.idempotency_key as key, x.operation, coalesce(e.workflow_id, '') as scenario, e.state,
           e.result_id as "resultId", e.reported_result_id as "reportedResultId"
    from review.exceptions x left join ledger.executions e using (execution_id)
    where x.state = 'OPEN'`);
  return rows.map((row) => ({ ...row, scenario: row.scenario.replace(/-[0-9a-f]{12}$/, '') }));
}

/** What the log says of a scenario, for the message when its exception does not come. */
function wordsOf(scenario: string): string[] {
  const events = demo.log().filter(({ operation }) => operation === scenario);
  return events.map(({ at, event, note, signal }) => `${at} ${event} ${signal ?? ''} ${note}`);
}

async function startInTurn(): Promise<void> {
  for (const scenario of [...DANGEROUS, ...CALM]) {
    const run = demo.supervisor.begin(scenario);
    runs.push(run.ended);
    await Promise.race([run.begun, sleep(5_000)]);
  }
}

/** What a scenario should have ended in by now is there. */
function isThere(scenario: string, kind: string): boolean {
  return exceptions.some((row) => row.kind === kind && (kind === 'KEY_MISSING' || row.scenario === scenario));
}

beforeAll(async () => {
  db = await testDatabase();
  demo = await startSandboxDemo(db);
  executor = demo.supervisor.startExecutor().ended;
  const expected = DANGEROUS.filter(({ name }) => !NOT_TO_THE_END.includes(name));
  started = startInTurn();
  await vi.waitFor(
    async () => {
      await demo.sweep();
      exceptions = await readExceptions();
      const missing = expected.filter(({ name, kind }) => !isThere(name, kind ?? ''));
      expect(missing.map(({ name }) => [name, ...wordsOf(name)])).toEqual([]);
    },
    { timeout: PATIENCE, interval: 500 },
  );
}, PATIENCE + 30_000);

afterAll(async () => {
  await started;
  await demo.close();
  await Promise.all([executor, ...runs]);
  await db.drop();
});

/** The one open exception of a scenario and kind, with what the sandbox's log says about its key. */
function trace(scenario: string, kind: string) {
  const found = exceptions.filter((row) => row.scenario === scenario && row.kind === kind);
  expect(found).toHaveLength(1);
  const exception = found[0] as OpenException;
  const key = exception.key ?? '';
  const events = demo.log().filter((event) => event.reference === key);
  return {
    exception,
    key,
    events,
    fault: events.find((event) => event.event === 'call' && event.fault !== null),
    signal: events.find((event) => event.event === 'signal'),
  };
}

const mails = async (key: string) =>
  (await demo.ask('mail', `/messages?header=X-Reference&value=${key}`)).body.items ?? [];
const payments = async (key: string) =>
  (await demo.ask('payment', `/payments?reference=${key}`)).body.items ?? [];
const records = async (key: string) =>
  (await demo.ask('crm', `/records?external_reference=${key}`)).body.items ?? [];

describe('answers that were lost', () => {
  it('R-036 a mail that was sent and whose answer was dropped is unknown; the service holds exactly one', async () => {
    const { key, fault, exception } = trace('mail-sent-answer-lost', 'UNKNOWN_RESULT');
    expect(fault).toMatchObject({ system: 'mail', fault: 'drop-after-commit', status: null });
    expect(await mails(key)).toMatchObject([{ id: fault?.effectId, status: 'sent' }]);
    expect(exception).toMatchObject({ state: 'UNKNOWN', resultId: null });
  });

  it('R-036 a payment call that timed out before anything happened is unknown, not failed; no payment exists', async () => {
    const { key, fault, events } = trace('payment-never-arrived', 'UNKNOWN_RESULT');
    expect(fault).toMatchObject({ system: 'payment', fault: 'hang-before', effectId: null, status: null });
    expect(events.map(({ event }) => event)).toContain('time-out');
    expect(await payments(key)).toEqual([]);
  });

  it('a deletion whose answer was dropped is unknown; the record is gone', async () => {
    const { fault } = trace('deletion-answer-lost', 'UNKNOWN_RESULT');
    expect(fault).toMatchObject({ operation: 'delete-record', fault: 'drop-after-commit' });
    expect((await demo.ask('crm', `/records/${fault?.effectId}`)).status).toBe(404);
  });

  it('payments show as pending, as reversed, and not yet at all', async () => {
    expect(await payments(trace('payment-pending', 'UNKNOWN_RESULT').key)).toMatchObject([
      { status: 'pending' },
    ]);
    expect(await payments(trace('payment-reversed-meanwhile', 'UNKNOWN_RESULT').key)).toMatchObject([
      { status: 'reversed' },
    ]);
    const late = trace('payment-arrives-late', 'UNKNOWN_RESULT');
    expect(late.fault).toMatchObject({ fault: 'late-arrival;seconds=45', effectId: null });
  });

  it('R-061m a record that was entered twice is found twice; neither is taken for the result', async () => {
    const { key, fault, exception } = trace('record-entered-twice', 'DUPLICATE_RESULT');
    expect(exception.resultId).toBeNull();
    expect(fault?.fault).toBe('duplicate, hang');
    expect((await records(key)).map(({ enteredByHand }) => enteredByHand)).toEqual([false, true]);
  });

  it('the south tenant has its own', () => {
    expect(trace('south-mail-answer-lost', 'UNKNOWN_RESULT').fault?.system).toBe('mail');
  });
});

describe('processes that were killed', () => {
  it('R-028d killed after the deletion: stuck in progress, and the record is gone', async () => {
    const { signal, exception } = trace('deletion-killed-after-commit', 'STUCK_PROCESSING');
    expect(signal).toMatchObject({ signal: 'SIGKILL', note: 'after-commit' });
    expect(exception.state).toBe('PROCESSING');
    expect((await demo.ask('crm', `/records/${signal?.effectId}`)).status).toBe(404);
  });

  it('R-028d killed after the mail: unknown when lease and grace are over; one mail was sent', async () => {
    const { signal, key, exception } = trace('mail-killed-after-send', 'UNKNOWN_RESULT');
    expect(signal).toMatchObject({ signal: 'SIGKILL', note: 'after-commit' });
    expect(await mails(key)).toMatchObject([{ id: signal?.effectId }]);
    expect(exception.state).toBe('UNKNOWN');
  });

  it('R-040c killed before the report was sent: past retention an expired key, and nothing was registered', async () => {
    const { signal, key, exception } = trace('report-killed-before-send', 'EXPIRED_KEY');
    expect(signal).toMatchObject({ signal: 'SIGKILL', note: 'before-send', effectId: null });
    expect(exception.state).not.toBe('EXPIRED');
    expect(await records(key)).toEqual([]);
  });
});

describe('reports that cannot be right', () => {
  it('R-012a another amount under one key is a conflict; the one payment keeps the first amount', async () => {
    const { key, events } = trace('amount-changed', 'CONTENT_CONFLICT');
    expect(events.map(({ note }) => note)).toContain(
      'create-payment outcome: refused: IDEMPOTENCY_KEY_REUSED',
    );
    const [first, ...others] = await payments(key);
    expect(others).toEqual([]);
    const { rows } = await db
      .pool('owner')
      .query<{ display_fields: Record<string, number> }>(
        'select display_fields from ledger.executions where idempotency_key = $1',
        [key],
      );
    expect(first?.amount).toBe(rows[0]?.display_fields['/amount']);
  });

  it('R-014a success without a result id is in doubt, though the record exists', async () => {
    const { key, events } = trace('result-id-forgotten', 'MISSING_RESULT_ID');
    const made = events.find(({ system, event }) => system === 'crm' && event === 'call');
    expect(await records(key)).toMatchObject([{ id: made?.effectId }]);
  });

  it('R-014b the result id of another execution is not believed', async () => {
    const { key, exception } = trace('result-id-of-another', 'RESULT_MISMATCH');
    const [own] = await records(key);
    expect(exception).toMatchObject({ resultId: null });
    expect(exception.reportedResultId).not.toBe(own?.id);
    expect((await demo.ask('crm', `/records/${exception.reportedResultId}`)).status).toBe(200);
  });

  it('R-003a a request without its key is recorded, and nothing is sent', () => {
    expect(exceptions.filter(({ kind }) => kind === 'KEY_MISSING')).toMatchObject([
      { operation: 'send-receipt-mail' },
    ]);
    const sent = demo.log().find(({ note }) => note?.includes('key-forgotten:') === true);
    expect(sent?.note).toMatch(/request REQ-\w+ sent without its key/);
  });

  it('R-029b a result after the cancel contradicts it and blocks the work', async () => {
    const { key, events } = trace('cancelled-yet-sent', 'CONTRADICTED_DECISION');
    expect(events.map(({ note }) => note)).toContain('create-crm-record sent-after-cancel: refused: FENCED');
    expect(await records(key)).toHaveLength(1);
  });
});

describe('work that goes well', () => {
  it(
    'is finished, and leaves nothing for people',
    async () => {
      await started;
      const names = CALM.map(({ name }) => name);
      const states = () =>
        db.pool('owner').query<{ scenario: string; state: string }>(
          `select regexp_replace(workflow_id, '-[0-9a-f]{12}$', '') as scenario, state from ledger.executions
         where regexp_replace(workflow_id, '-[0-9a-f]{12}$', '') = any($1)`,
          [names],
        );
      await vi.waitFor(
        async () => {
          const { rows } = await states();
          expect(new Set(rows.map(({ scenario }) => scenario))).toEqual(new Set(names));
          const finals = ['SUCCEEDED', 'FAILED_FINAL', 'EXPIRED'];
          expect(rows.filter(({ state }) => !finals.includes(state))).toEqual([]);
        },
        { timeout: PATIENCE, interval: 500 },
      );
      expect((await readExceptions()).filter(({ scenario }) => names.includes(scenario))).toEqual([]);
      const { rows } = await states();
      expect(rows.filter(({ state }) => state === 'FAILED_FINAL')).toMatchObject([
        { scenario: 'refused-order' },
      ]);
    },
    PATIENCE,
  );
});

describe('what only time shows', () => {
  it('R-041 a report that comes again after its key expired is not registered twice', async () => {
    const { key, events } = trace('report-again-after-expiry', 'EXPIRED_KEY');
    expect(events.map(({ note }) => note)).toContain(
      'register-monthly-report outcome: refused: IDEMPOTENCY_KEY_EXPIRED',
    );
    expect(await records(key)).toHaveLength(1);
  });

  it('long work, work that nobody takes, and work that cannot be sent', async () => {
    trace('long-import', 'LONG_RUNNING');
    trace('registered-never-claimed', 'UNCLAIMED');
    const { key, events } = trace('mail-server-out-of-reach', 'RETRY_STALLED');
    expect(events.map(({ note }) => note)).toContain(
      'send-receipt-mail UNREACHABLE: mail could not be reached: ECONNREFUSED',
    );
    expect(await mails(key)).toEqual([]);
  });

  it('R-045a a program in plain SQL that lost its answer appears the same way', async () => {
    const { key, fault } = trace('sql-record-answer-lost', 'UNKNOWN_RESULT');
    expect(fault).toMatchObject({ system: 'crm', fault: 'drop-after-commit' });
    expect(await records(key)).toMatchObject([{ id: fault?.effectId }]);
  });
});
