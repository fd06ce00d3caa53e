import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { median } from '@/lib/testing/bench/at-once';
import { producerApiUnderTest, type ProducerApiUnderTest } from '@/lib/testing/producer-api';
import { tapStatements, type SentStatement } from '@/lib/testing/statement-tap';
import { digestOfToken } from '../producer-token';

const MARK = 'oo_live_';
const SHARED = [0, 8, 16, 31];
const ROUNDS = 100;

let api: ProducerApiUnderTest;
/** Everything that the API sends to the database. */
let sent: SentStatement[];
beforeAll(async () => {
  api = await producerApiUnderTest();
  for (let n = 0; n < 50; n += 1) await api.makeToken('south');
  sent = tapStatements(api.pool);
});
afterAll(() => api.close());

/** Another token that begins like the real one, and differs in the very next character. */
function guess(real: string, shared: number): string {
  const kept = MARK.length + shared;
  const next = real[kept] === 'x' ? 'y' : 'x';
  return `${real.slice(0, kept)}${next}${randomBytes(32).toString('base64url')}`.slice(0, real.length);
}

/** One answer, and the statements that it took. */
async function ask(token: string) {
  sent.length = 0;
  const startedAt = performance.now();
  const answer = await api.send({ path: `/executions/${randomUUID()}`, token });
  const took = performance.now() - startedAt;
  const { date: _, 'x-request-id': __, ...headers } = answer.headers;
  const statements = sent.filter(({ text }) => !text.startsWith('set '));
  return { told: { status: answer.status, headers, body: withoutIds(answer.text) }, statements, took };
}
const withoutIds = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, '…');

/** How the database comes to its answer: each step of the plan with the rows that it read. */
async function workOf({ text, values }: SentStatement): Promise<unknown> {
  const { rows } = await api.db
    .pool('app')
    .query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, timing off, format json) ${text}`, [
      ...values,
    ]);
  return stepOf(rows[0]!['QUERY PLAN'][0].Plan);
}
interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const stepOf = (plan: Plan): unknown => [
  plan['Node Type'],
  plan['Index Name'] ?? null,
  plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0),
  (plan.Plans ?? []).map(stepOf),
];

describe('a guessed token', () => {
  it('AZ-14 reaches the database as a digest alone, which says nothing of how much was right', async () => {
    const real = api.tokens.north;
    for (const token of [real, ...SHARED.map((shared) => guess(real, shared))]) {
      const { statements } = await ask(token);
      expect(statements[0]?.values).toEqual([digestOfToken(token)]);
      const told = statements.flatMap(({ text, values }) => [text, ...values.map((value) => format(value))]);
      for (const word of told) {
        expect(word).not.toContain(token.slice(0, MARK.length + 4));
        expect(word).not.toContain(token.slice(-8));
      }
    }
  });

  it('AZ-14 takes the same statements, rows and steps however much of it is right, and gets the same answer', async () => {
    await api.db.pool('superuser').query('analyze ledger.producer_tokens, ledger.principals');
    const real = api.tokens.north;
    await ask(guess(real, 0));
    const took = new Map<number, number[]>(SHARED.map((shared) => [shared, []]));
    const seen = new Set<string>();
    for (let n = 0; n < ROUNDS; n += 1) {
      // Each is first in turn: whoever follows another finds warm caches.
      for (const shared of [...SHARED.slice(n % 4), ...SHARED.slice(0, n % 4)]) {
        const answer = await ask(guess(real, shared));
        expect([answer.told.status, answer.statements.length]).toEqual([401, 1]);
        const work = n === 0 ? await workOf(answer.statements[0]!) : null;
        if (work !== null) expect(JSON.stringify(work)).toContain('"producer_tokens_digest_key",0');
        seen.add(JSON.stringify([answer.told, answer.statements.map(({ text }) => text), n === 0 && work]));
        took.get(shared)?.push(answer.took);
      }
    }
    // One for the first round, with its plan, and one for all others.
    expect([...seen]).toHaveLength(2);
    // Printed, and judged by nobody: a machine's times prove nothing in one run.
    const medians = SHARED.map((shared) => median(took.get(shared) ?? []));
    const trend = (medians.at(-1)! - medians[0]!) / 31;
    process.stdout.write(
      `AZ-14 medians for ${SHARED.join(', ')} right characters: ${medians.map((ms) => ms.toFixed(3)).join(', ')} ms; from first to last ${(trend * 1_000).toFixed(1)} µs a character\n`,
    );
  });
});

const format = (value: unknown) =>
  Buffer.isBuffer(value) ? `${value.toString('latin1')} ${value.toString('hex')}` : String(value);
