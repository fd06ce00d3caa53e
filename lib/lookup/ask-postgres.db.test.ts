import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  said,
  ORDERS_RECIPE as recipe,
  ordersDatabase,
  orderSubject as subject,
  type OrdersDatabase,
} from '@/lib/testing/orders-database';

let orders: OrdersDatabase;
beforeAll(async () => {
  orders = await ordersDatabase();
});
afterAll(() => orders.drop());
beforeEach(() => void (orders.notes.length = 0));

const ask: OrdersDatabase['ask'] = (...about) => orders.ask(...about);

describe('askPostgres', () => {
  it('R-058w finds, tells apart and compares the named columns, and keeps nothing else', async () => {
    const found = await ask(subject('K-1', '120.5'));
    expect(found).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'FOUND', externalStatus: 'done', resultId: '1' },
    });
    expect(found.question).toEqual({
      method: 'SELECT',
      url: '${secret:SHOP}',
      sql: recipe.sql,
      parameters: ['K-1'],
    });
    expect(JSON.stringify(found)).not.toMatch(/private|pass-reader/);
    expect(said(await ask(subject('K-1', '99')))).toEqual(['MISMATCH', null]);
    expect(said(await ask(subject('K-2', '10')))).toEqual(['MULTIPLE', null]);
    expect((await ask(subject('K-3', '10'))).finding).toMatchObject({
      outcome: 'FOUND',
      externalStatus: 'reversed',
    });
    expect(said(await ask(subject('K-4', '10')))).toEqual(['MISMATCH', null]);
    expect(said(await ask(subject('K-5', '10')))).toEqual(['FOUND', 'UNLISTED_STATUS']);
    expect(said(await ask(subject('K-6', '10')))).toEqual(['INCONCLUSIVE', 'NOT_COMPARABLE']);
    expect(await ask(subject('K-9', '10'))).toMatchObject({
      verdict: 'NOT_APPLIED',
      finding: { outcome: 'NOT_FOUND' },
    });
    expect(said(await ask(subject('K-9', '10'), { notFound: { emptyList: false } }))).toEqual([
      'INCONCLUSIVE',
      'NOTHING_SHOWN',
    ]);
  });

  it('R-058w proves by absence and by value as well', async () => {
    const gone = {
      absentId: '{key}',
      content: [{ expected: '{key}', pointer: '/reference', role: 'identifies' }],
    };
    const absence = (key: string) => ask({ ...subject(key, '1'), proof: 'ABSENCE' }, gone);
    expect(await absence('K-9')).toMatchObject({
      verdict: 'APPLIED',
      finding: { outcome: 'NOT_FOUND', resultId: 'K-9' },
    });
    expect(await absence('K-1')).toMatchObject({ verdict: 'NOT_APPLIED', finding: { outcome: 'FOUND' } });
    const proving = {
      content: [
        { expected: '{key}', pointer: '/reference', role: 'identifies' },
        {
          expected: '{display:/amount}',
          before: '{display:/old}',
          pointer: '/amount',
          match: 'numeric',
          role: 'proves',
        },
      ],
    };
    const value = async (amount: string, old: string) => {
      const about = subject('K-1', amount);
      const display = { ...about.question.display, '/old': old };
      return (await ask({ ...about, proof: 'VALUE', question: { ...about.question, display } }, proving))
        .verdict;
    };
    expect(await value('120.50', '7')).toBe('APPLIED');
    expect(await value('7', '120.5')).toBe('NOT_APPLIED');
    expect(await value('7', '8')).toBe('UNCLEAR');
  });

  it('R-058w a value is a parameter, whatever it looks like', async () => {
    for (const key of ["K-1' OR '1'='1", "'; DROP TABLE orders; --", '$1', '\\'])
      expect(said(await ask(subject(key, '10'))), key).toEqual(['NOT_FOUND', null]);
    expect(
      said(
        await ask(subject('x', '10'), {
          sql: `${recipe.sql.replace('reference = $1', 'id = $1::bigint')} -- by id`,
        }),
      ),
    ).toEqual(['INCONCLUSIVE', 'QUERY_FAILED']);
  });

  it('R-058w rows beyond the limit are a list that was not read to its end', async () => {
    const all =
      'SELECT id, $1::text AS reference, account, amount, state, refunded FROM orders, generate_series(1, 9) AS g';
    expect(said(await ask(subject('K-1', '10'), { sql: all, rowLimit: 3 }))[1]).toBe(null);
    const failed = `SELECT g AS id, $1::text AS reference, 'main' AS account, 10 AS amount, 'rejected' AS state, false AS refunded FROM generate_series(1, 9) AS g`;
    expect(said(await ask(subject('K-1', '10'), { sql: failed, rowLimit: 3 }))).toEqual([
      'INCONCLUSIVE',
      'MORE_PAGES',
    ]);
    expect((await ask(subject('K-1', '10'), { sql: failed })).verdict).toBe('NOT_APPLIED');
  });

  it('R-058w only reads: the transaction refuses a write that the query hides', async () => {
    const hidden = recipe.sql
      .replace('SELECT id', 'SELECT sell() AS sold, id')
      .replace('note FROM', 'sell() AS note FROM');
    await orders.client.query(
      `GRANT EXECUTE ON FUNCTION sell() TO PUBLIC; ALTER FUNCTION sell() SECURITY DEFINER`,
    );
    const asked = await ask(subject('K-1', '120.5'), {
      sql: hidden,
      fields: { ...recipe.fields, url: '/sold' },
    });
    expect(said(asked)).toEqual(['INCONCLUSIVE', 'QUERY_FAILED']);
    expect(orders.notes.map(({ detail }) => detail)).toEqual(['25006']);
    for (const sql of [
      'WITH w AS (DELETE FROM orders WHERE reference = $1 RETURNING *) SELECT * FROM w',
      'SELECT * FROM orders WHERE reference = $1) AS a, (SELECT 1',
    ])
      expect((await ask(subject('K-1', '120.5'), { sql })).finding.outcome, sql).toBe('INCONCLUSIVE');
    expect((await orders.client.query('SELECT id FROM orders')).rowCount).toBe(7);
  });

  it.each(['writer', 'column', 'owner', 'latent', 'maker'] as const)(
    'R-058x asks nothing as a role that could write: %s',
    async (as) => {
      expect(said(await ask(subject('K-1', '120.5'), {}, orders.address(as)))).toEqual([
        'INCONCLUSIVE',
        'ROLE_CAN_WRITE',
      ]);
      expect(orders.notes[0]?.detail).toMatch(
        as === 'owner' ? /own$/ : as === 'maker' ? /^as maker/ : /orders$/,
      );
    },
  );

  it('R-058x asks nothing as a superuser', async () => {
    expect(said(await ask(subject('K-1', '120.5'), {}, orders.superuserAddress))).toEqual([
      'INCONCLUSIVE',
      'ROLE_CAN_WRITE',
    ]);
    expect(orders.notes[0]?.detail).toMatch(/^as /);
  });
});
