// What a program in plain SQL can and cannot do, with no code of ours running: its own login role, real grants.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { fingerprint, ledgerFixture, NORTH, type LedgerFixture } from '@/lib/testing/ledger-fixture';

let db: TestDatabase;
let ledger: LedgerFixture;
let sql: pg.Pool;
let stranger: pg.Pool;
beforeAll(async () => {
  db = await testDatabase();
  ledger = await ledgerFixture(db);
  const [mapped, unmapped] = [await db.producer(), await db.producer()];
  await db
    .pool('owner')
    .query('UPDATE ledger.principals SET login_role = $1 WHERE principal_id = $2', [mapped.role, NORTH]);
  sql = new pg.Pool({ connectionString: mapped.url, max: 4 });
  stranger = new pg.Pool({ connectionString: unmapped.url, max: 1 });
});
afterAll(async () => {
  await sql.end();
  await stranger.end();
  await db.drop();
});

const insert = async (key: string, columns = '', values = '') =>
  (
    await sql.query<{ execution_id: string; state: string; fencing_token: string }>(
      `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint${columns}) VALUES ('create-payment', $1, $2${values})
       RETURNING execution_id, state, fencing_token`,
      [key, fingerprint('content')],
    )
  ).rows[0]!;
const update = (id: string, set: string) =>
  sql.query(`UPDATE ledger.executions SET ${set} WHERE execution_id = $1`, [id]);

describe('a direct claim', () => {
  it('R-010b a direct insert is a claim with its intake and attempt; the second one is a unique violation', async () => {
    const key = randomUUID();
    const row = await insert(key);
    expect(row).toMatchObject({ state: 'PROCESSING', fencing_token: '1' });
    await expect(insert(key)).rejects.toMatchObject({
      code: '23505',
      constraint: 'executions_scope_is_unique',
    });
    expect(await ledger.dispositions(key)).toEqual(['CLAIMED']);
    const { rows } = await db
      .pool('owner')
      .query('SELECT attempt, fencing_token FROM ledger.attempts WHERE execution_id = $1', [
        row.execution_id,
      ]);
    expect(rows).toEqual([{ attempt: 1, fencing_token: '1' }]);
  });

  it('R-002d the principal comes from the login: a foreign or unmapped one is refused', async () => {
    await expect(insert(randomUUID(), ', principal_id', `, 'south'`)).rejects.toMatchObject({
      code: 'OO002',
    });
    await expect(
      stranger.query(
        `INSERT INTO ledger.executions (operation, idempotency_key, fingerprint) VALUES ('x', 'k', $1)`,
        [fingerprint('c')],
      ),
    ).rejects.toMatchObject({ code: 'OO002' });
    await expect(
      stranger.query(`SELECT ledger.claim('x', 'k', $1)`, [fingerprint('c')]),
    ).rejects.toMatchObject({ code: 'OO002' });
  });

  it('R-002e a producer sees its own rows only', async () => {
    await ledger.claim(`foreign-${randomUUID()}`, {}, 'south');
    const { rows } = await sql.query<{ principal_id: string }>(
      'SELECT DISTINCT principal_id FROM ledger.executions',
    );
    expect(rows).toEqual([{ principal_id: NORTH }]);
  });

  it('a function claim, a conflicting claim and a report of unknown each leave an intake and at most one open exception', async () => {
    const key = randomUUID();
    const claim = async (content: string) =>
      (
        await sql.query<{ answer: { code: string | null; execution: { executionId: string } } }>(
          `SELECT ledger.claim('create-payment', $1, $2) AS answer`,
          [key, fingerprint(content)],
        )
      ).rows[0]!.answer;
    const { executionId: id } = (await claim('content')).execution;
    await sql.query('SELECT ledger.effect_started($1, 1)', [id]);
    expect(await claim('other')).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await claim('other');
    await sql.query(`SELECT ledger.report_unknown($1, 1, 'TIMEOUT', 'no answer')`, [id]);
    expect(await ledger.dispositions(key)).toEqual(['CLAIMED', 'CONTENT_CONFLICT', 'CONTENT_CONFLICT']);
    expect((await ledger.exceptions(id)).map((each) => [each.kind, each.state])).toEqual([
      ['CONTENT_CONFLICT', 'OPEN'],
      ['UNKNOWN_RESULT', 'OPEN'],
    ]);
  });
});

describe('a direct update', () => {
  it('R-029e must present its token, and only the present one', async () => {
    const { execution_id: id } = await insert(randomUUID());
    await expect(update(id, `state = 'SUCCEEDED', result_id = 'R-1'`)).rejects.toMatchObject({
      code: 'OO003',
    });
    await expect(
      update(id, `fencing_token = 0, state = 'SUCCEEDED', result_id = 'R-1'`),
    ).rejects.toMatchObject({ code: 'OO003' });
    await expect(
      update(id, `fencing_token = 2, state = 'SUCCEEDED', result_id = 'R-1'`),
    ).rejects.toMatchObject({ code: 'OO003' });
    expect(await ledger.row(id)).toMatchObject({ state: 'PROCESSING', version: '1' });
  });

  it('R-014e R-045a a success without result id becomes unknown and its exception appears in the same transaction', async () => {
    const { execution_id: id } = await insert(randomUUID());
    const client = await sql.connect();
    await client.query('BEGIN');
    await client.query(
      `UPDATE ledger.executions SET fencing_token = 1, state = 'SUCCEEDED' WHERE execution_id = $1`,
      [id],
    );
    expect(await ledger.exceptions(id)).toEqual([]);
    await client.query('COMMIT');
    client.release();
    expect(await ledger.row(id)).toMatchObject({ state: 'UNKNOWN', unknown_reason: 'MISSING_RESULT_ID' });
    expect(await ledger.exceptions(id)).toMatchObject([{ kind: 'MISSING_RESULT_ID', state: 'OPEN' }]);
  });

  it('R-027b a claim of a registered row takes the next token by itself', async () => {
    const { execution_id: id } = await insert(randomUUID(), ', state', `, 'RECEIVED'`);
    await update(id, `fencing_token = 0, state = 'PROCESSING'`);
    expect(await ledger.row(id)).toMatchObject({ state: 'PROCESSING', fencing_token: '1', attempt: 1 });
  });

  it('R-028c a takeover needs a lease that is over and an effect that has not started', async () => {
    const { execution_id: id } = await insert(randomUUID());
    const takeover = () => update(id, `fencing_token = 1, attempt_id = '${randomUUID()}', owner = 'second'`);
    await expect(takeover()).rejects.toMatchObject({ code: 'OO004' });
    await db.advanceClock('2 minutes');
    await takeover();
    expect(await ledger.row(id)).toMatchObject({ fencing_token: '2', attempt: 2, owner: 'second' });
  });

  it.each([
    ['PROCESSING', 'EXPIRED'],
    ['PROCESSING', 'RECEIVED'],
    ['SUCCEEDED', 'PROCESSING'],
    ['SUCCEEDED', 'FAILED_RETRYABLE'],
    ['FAILED_FINAL', 'SUCCEEDED'],
    ['UNKNOWN', 'FAILED_RETRYABLE'],
    ['UNKNOWN', 'FAILED_FINAL'],
  ])('R-045b a move from %s to %s is refused to an executor', async (from, to) => {
    const { execution_id: id } = await insert(randomUUID());
    if (from !== 'PROCESSING')
      await update(
        id,
        `fencing_token = 1, state = '${from}'${from === 'SUCCEEDED' ? `, result_id = 'R-${id}'` : ''}`,
      );
    await expect(update(id, `fencing_token = 1, state = '${to}'`)).rejects.toMatchObject({ code: 'OO004' });
    expect(await ledger.row(id)).toMatchObject({ state: from });
  });

  it.each([
    'attempt = 9',
    'version = 9',
    `moved_by = 'person'`,
    `expires_at = now()`,
    `tenant_id = 'tenant-south'`,
    `idempotency_key = 'x'`,
    'superseded_by = NULL',
    'token_presented = true',
  ])('R-045c the columns that the ledger keeps are not for producers: %s', async (set) => {
    const { execution_id: id } = await insert(randomUUID());
    await expect(update(id, `fencing_token = 1, ${set}`)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    'SELECT * FROM ledger.intakes',
    'UPDATE ledger.intakes SET trace_id = NULL',
    'DELETE FROM ledger.intakes',
    'DELETE FROM ledger.executions',
    'SELECT * FROM ledger.operation_policies',
    'SELECT * FROM ledger.producer_tokens',
    'SELECT * FROM review.exceptions',
    'UPDATE review.audit_events SET body = body',
    'DELETE FROM review.decisions',
    `SELECT ledger.claim_as('south', '{}')`,
    'SELECT ledger.sweep()',
    `SELECT review.link_result('{}')`,
  ])('R-087e nothing else is granted to a SQL producer: %s', async (statement) => {
    await expect(sql.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the product’s own roles', () => {
  it.each(['app', 'worker'] as const)(
    'R-087e the %s role changes no ledger row, audit event or decision directly',
    async (role) => {
      for (const statement of [
        `UPDATE ledger.executions SET state = 'SUCCEEDED'`,
        'DELETE FROM ledger.executions',
        'DELETE FROM ledger.intakes',
        `UPDATE review.exceptions SET state = 'CLOSED'`,
        'DELETE FROM review.audit_events',
        'UPDATE review.audit_head SET number = 0',
        'DELETE FROM review.decisions',
        'UPDATE review.approval_requests SET state = state',
        'DELETE FROM review.approval_decisions',
      ]) {
        await expect(db.pool(role).query(statement), statement).rejects.toMatchObject({ code: '42501' });
      }
    },
  );
});
