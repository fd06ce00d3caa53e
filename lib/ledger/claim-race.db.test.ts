import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';

/** The acceptance's numbers: claims of one key, spread over server processes. */
const CLAIMS = 200;
const PROCESSES = 4;

let api: ProducerApiUnderTest;
let servers: { process: ChildProcess; url: string }[] = [];

beforeAll(async () => {
  api = await producerApiUnderTest();
  servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(api.db.appUrl)));
  // Opening a hundred connections at once is a race of its own, and not the one that is tested here.
  for (const server of servers)
    await Promise.all(Array.from({ length: 20 }, (_, index) => claimAt(server.url, `warm-${index}`, 0)));
}, 60_000);
afterAll(async () => {
  await Promise.all(
    servers.map(async ({ process }) => {
      const exited = once(process, 'exit');
      process.kill('SIGTERM');
      await exited;
    }),
  );
  await api.close();
});

/** `npm run api` itself, as its own process. */
async function startServer(databaseUrl: string): Promise<{ process: ChildProcess; url: string }> {
  const args = [
    '--import',
    './lib/commands/die-with-parent.mjs',
    '--import',
    'tsx',
    '--conditions=react-server',
    'lib/commands/api.ts',
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      API_PORT: '0',
      LOG_LEVEL: 'silent',
      FIELD_HASH_KEY: 'the key of this test',
    },
  });
  for await (const line of readline.createInterface({ input: child.stdout! })) {
    const url = /http:\S+/.exec(line)?.[0];
    if (url !== undefined) return { process: child, url };
  }
  throw new Error('the API process ended before it listened');
}

async function claimAt(
  url: string,
  key: string,
  payload: unknown,
): Promise<{ status: number; word: string; executionId: unknown }> {
  const response = await fetch(`${url}/executions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${api.tokens.north}`,
      'Idempotency-Key': key,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ operation: 'refund.create', requestId: 'r', payload }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return {
    status: response.status,
    word: String(body['disposition'] ?? body['code']),
    executionId: body['executionId'],
  };
}

const at = (index: number) => servers[index % PROCESSES]!.url;

describe('R-010 the unique constraint decides', () => {
  it(`R-010a R-015b B-05 B-08 LC-01 of ${CLAIMS} equal claims at once in ${PROCESSES} processes exactly one claims, and every arrival is kept`, async () => {
    const answers = await Promise.all(
      Array.from({ length: CLAIMS }, (_, index) => claimAt(at(index), 'K-race', { amount: 100 })),
    );
    const words = answers.map((answer) => answer.word);
    expect(words.filter((word) => word === 'CLAIMED')).toHaveLength(1);
    expect(words.filter((word) => word === 'REQUEST_IN_PROGRESS')).toHaveLength(CLAIMS - 1);
    expect(new Set(answers.map((answer) => answer.executionId)).size).toBe(1);
    const intakes = await api.intakes('K-race');
    expect(intakes).toHaveLength(CLAIMS);
    expect(intakes.filter((disposition) => disposition === 'CLAIMED')).toHaveLength(1);
    expect(await api.execution('K-race')).toMatchObject({
      state: 'PROCESSING',
      attempt: 1,
      fencing_token: '1',
    });
  }, 60_000);

  it('R-010a R-011b B-04 of 40 equal retries of a failed record exactly one gets the second attempt', async () => {
    const { executionId } = await api.started('K-1004');
    await api.report(executionId, 'fail', {
      fencingToken: '1',
      retryable: true,
      code: 'X',
      message: '',
      basis: 'NOT_SENT',
    });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => claimAt(at(index), 'K-1004', { amount: 100 })),
    );
    expect(answers.filter((answer) => answer.word === 'RETRY_SAME_KEY')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(39);
    expect(await api.execution('K-1004')).toMatchObject({ attempt: 2, fencing_token: '2' });
  });

  it('R-012a LC-02 with two contents at once the first content stands, and all others are conflicts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => claimAt(at(index), 'K-mixed', { amount: index % 2 })),
    );
    const claimed = answers.findIndex((answer) => answer.word === 'CLAIMED');
    answers.forEach((answer, index) => {
      if (index === claimed) return;
      expect(answer.word).toBe(index % 2 === claimed % 2 ? 'REQUEST_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED');
    });
    expect(await api.intakes('K-mixed')).toHaveLength(40);
  });

  it('B-07 R-025b a claim that meets an uncommitted rival rests its answer on what is committed', async () => {
    const rival = await api.db.pool('owner').connect();
    await rival.query('begin');
    await rival.query(`select ledger.claim_as('north', $1)`, [
      { operation: 'refund.create', key: 'K-1007', fingerprint: `sha256:${'0'.repeat(64)}` },
    ]);
    const waiting = claimAt(at(0), 'K-1007', { amount: 100 });
    await untilBlocked();
    await rival.query('rollback');
    rival.release();
    expect((await waiting).word).toBe('CLAIMED');
    expect(await api.intakes('K-1007')).toEqual(['CLAIMED']);
  });

  it('B-01 R-025a a claim that waited for a rival’s commit sees the rival’s record', async () => {
    const rival = await api.db.pool('owner').connect();
    await rival.query('begin');
    await rival.query(`select ledger.claim_as('north', $1)`, [
      { operation: 'refund.create', key: 'K-1001', fingerprint: `sha256:${'0'.repeat(64)}` },
    ]);
    const waiting = claimAt(at(1), 'K-1001', { amount: 100 });
    await untilBlocked();
    await rival.query('commit');
    rival.release();
    expect((await waiting).word).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

/** Until a backend of the app's role really waits for a lock: time alone would prove nothing. */
async function untilBlocked(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await api.db
        .pool('superuser')
        .query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
          [api.db.name],
        );
      return rows[0]?.n;
    })
    .toBe(1);
}
