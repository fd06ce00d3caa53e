import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { EXECUTION_STATES } from './states';
import { MOVERS, TRANSITIONS } from './transitions';
import { INTAKE_DISPOSITIONS } from './dispositions';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const line = (from: string, to: string, by: string) => `${from} > ${to} by ${by}`;

it('R-045b the table of moves is the same in SQL and in code', async () => {
  const { rows } = await db
    .pool('app')
    .query<{ from_state: string; to_state: string; moved_by: string }>('select * from ledger.transitions');
  expect(rows.map((row) => line(row.from_state, row.to_state, row.moved_by)).sort()).toEqual(
    TRANSITIONS.map((move) => line(move.from ?? '', move.to, move.by)).sort(),
  );
});

it.each([
  ['ledger.executions', 'executions_state_check', EXECUTION_STATES],
  ['ledger.transitions', 'transitions_moved_by_check', MOVERS],
  ['ledger.intakes', 'intakes_disposition_check', INTAKE_DISPOSITIONS],
])('R-045b the words that %s allows by %s are those of the code', async (table, constraint, words) => {
  const { rows } = await db
    .pool('owner')
    .query<{ definition: string }>(
      'select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and conname = $2',
      [table, constraint],
    );
  const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([A-Za-z_]+)'/g)].map((match) => match[1]);
  expect(allowed.sort()).toEqual([...words].sort());
});
