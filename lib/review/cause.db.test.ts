import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { explaining } from '@/lib/testing/explaining';
import { fingerprint, ledgerFixture, type LedgerFixture } from '@/lib/testing/ledger-fixture';
import { manyExceptions } from '@/lib/testing/queue-fixture';
import { ANY_EXCEPTION } from './exception-filter';
import { listExceptions } from './list-exceptions';
import { listGroups } from './list-groups';
import { FACET_ROWS } from './count-facets';
import { type ReadContext } from './read-context';

const actor = {
  personId: '00000000-0000-7000-a000-000000000001',
  displayName: 'Operator',
  email: 'cause@demo.local',
  roles: ['OPERATOR'],
  authorities: [],
  tenantIds: ['tenant-north'],
  locale: null,
  sessionId: '00000000-0000-7000-a000-000000000002',
} satisfies ReadContext['actor'];

describe('the cause of an exception', () => {
  let db: TestDatabase;
  let ledger: LedgerFixture;
  beforeAll(async () => {
    db = await testDatabase();
    ledger = await ledgerFixture(db);
  });
  afterAll(() => db.drop());

  const causeOf = async (executionId: string) => {
    const { rows } = await db
      .pool('owner')
      .query<{ cause: string }>('select cause from review.exceptions where execution_id = $1', [executionId]);
    return rows.map(({ cause }) => cause);
  };
  const named = { target: { system: 'crm', account: 'shop' } };

  it('R-051i is the code that the executor reported, and where', async () => {
    const { id, token } = await ledger.started('reported', named);
    await ledger.report('report_unknown', id, { fencingToken: token, code: 'TIMEOUT' });
    expect(await causeOf(id)).toEqual(['TIMEOUT @ crm']);
  });

  it('R-051i is the ledger’s own reason where nobody’s report opened it', async () => {
    const { id, key } = await ledger.started('other-content', named);
    await ledger.claim(key, { fingerprint: fingerprint('something else') });
    expect(await causeOf(id)).toEqual(['content-differs @ crm']);
  });

  it('R-051i follows the reason and the system', async () => {
    const owner = db.pool('owner');
    const { id, token, key } = await ledger.started('followed');
    await ledger.claim(key, { fingerprint: fingerprint('something else') });
    expect(await causeOf(id)).toEqual(['content-differs']);
    await owner.query(`update review.exceptions set reason_code = 'REPORTED' where execution_id = $1`, [id]);
    // Nobody has reported anything yet.
    expect(await causeOf(id)).toEqual(['reported']);
    await ledger.report('report_unknown', id, { fencingToken: token, code: 'HTTP_504' });
    await owner.query(`update review.exceptions set system = 'mail' where execution_id = $1`, [id]);
    expect(await causeOf(id)).toEqual(['HTTP_504 @ mail', 'HTTP_504 @ mail']);
  });

  it('R-051i never grows past what an address and an index take', async () => {
    const { rows } = await db
      .pool('owner')
      .query<{ cause: string }>(
        `select review.cause_of('REPORTED', repeat('한', 2000), repeat('국', 2000)) as cause`,
      );
    expect([...rows[0]!.cause]).toHaveLength(128 + 3 + 160);
  });
});

it('DO-04 R-051g grouping by cause reads a bounded part of a long queue, and a group opens along its index', async () => {
  process.env['FIELD_HASH_KEY'] ??= 'test-only-field-hash-key-0123456789abcdef';
  const many = await testDatabase();
  try {
    await manyExceptions(many, { count: 10_500, openEvery: 1, perInstant: 15 });
    const { plans, reader } = explaining(many.pool('app'), 'analyze, timing off');
    const open = { ...ANY_EXCEPTION, states: ['OPEN'] as const };
    const answer = await listGroups({ actor, db: reader }, open, 'cause');
    expect(answer?.partial).toBe(true);
    expect(answer?.groups).toHaveLength(39);
    expect(plans.at(-1)).toMatch(
      new RegExp(`CTE base\\s+->  Limit .* rows=${FACET_ROWS + 1}(?:\\.00)? loops=1`),
    );
    const filter = { ...open, causes: ['CODE_3 @ system-3'] };
    await listExceptions({ actor, db: reader }, { filter, sort: 'severity', cursor: null, size: 50 });
    expect(plans.at(-1)).toContain('exceptions_by_cause');
  } finally {
    await many.drop();
  }
});
