import type { Pool } from '@/lib/db/pool';

/**
 * Reads as the pool does and keeps the plan of each statement.
 * @param options of EXPLAIN, as `analyze, timing off`; none: the plan alone
 */
export function explaining(pool: Pool, options = '') {
  const plans: string[] = [];
  const query = async (text: string, values?: readonly unknown[]) => {
    const given = values === undefined ? undefined : [...values];
    const explain = `explain ${options === '' ? '' : `(${options}) `}${text}`;
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(explain, given);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    // The caller names the rows that it asks for, and here nobody knows them.
    return pool.query(text, given) as never;
  };
  return { plans, reader: { query } };
}
