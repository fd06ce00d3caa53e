import { afterAll, beforeAll, expect, it } from 'vitest';
import { DECISION_RULES, DECISIONS, NEEDS_NO_RATIONALE } from '@/lib/domain/decisions';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());

const order = (rule: { kind: string; decision: string }) => `${rule.kind} ${rule.decision}`;

it('R-074b pages offer exactly what the database lets through, by the same roles', async () => {
  const { rows } = await db
    .pool('owner')
    .query<{ kind: string; decision: string; roles: string[] }>(
      'SELECT kind, decision, roles FROM review.decision_rules',
    );
  const sorted = (rules: readonly { kind: string; decision: string; roles: readonly string[] }[]) =>
    rules
      .map(({ kind, decision, roles }) => ({ kind, decision, roles: [...roles].sort() }))
      .sort((a, b) => order(a).localeCompare(order(b)));
  expect(sorted(rows)).toEqual(sorted(DECISION_RULES));
});

it('R-074b every decision has its audit event, and the same ones need no reason in words', async () => {
  const { rows } = await db
    .pool('owner')
    .query<{ decision: string }>('SELECT decision FROM review.decision_events');
  expect(rows.map((row) => row.decision)).toEqual(expect.arrayContaining([...DECISIONS]) as string[]);
  const { rows: check } = await db
    .pool('owner')
    .query<{ definition: string }>(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'decisions_say_why'`,
    );
  const named = DECISIONS.filter((decision) => check[0]!.definition.includes(`'${decision}'`));
  expect(new Set(named)).toEqual(NEEDS_NO_RATIONALE);
});
