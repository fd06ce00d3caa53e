import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAuditEventName } from '@/lib/domain/audit-events';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

/** Columns of the table of SECURITY.md, without the header and the line below it. */
function rowsOfTheTable(): string[][] {
  const book = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const [, part = ''] = book.split('### What ends by time alone\n');
  const lines = part.split(/^##/m)[0]!.split('\n');
  return lines.filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1));
}
const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

it('R-087aa every instant at which something ends by itself has its place in the table of what is told', async () => {
  const rows = rowsOfTheTable().slice(2);
  const { rows: columns } = await db.pool('owner').query<{ name: string }>(
    // What has happened is written as `…_at`; of those only the ends and the plans lie ahead.
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema in ('ledger', 'review') and data_type = 'timestamp with time zone'
        and (column_name !~ '_at$' or column_name ~ '(expires|due|sweep|next|next_check|next_try|ends|until)_at$')
        and column_name not in ('at', 'state_since', 'since', 'alarm_since', 'held_up_since', 'usable_from', 'as_of')
        and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')
      order by 1`,
  );
  const named = rows.flatMap(([, instants]) => quoted(instants));
  expect(named.sort()).toEqual(columns.map(({ name }) => name));
  for (const [what, , told] of rows)
    expect(
      quoted(told).filter((event) => !isAuditEventName(event)),
      what,
    ).toEqual([]);
});
