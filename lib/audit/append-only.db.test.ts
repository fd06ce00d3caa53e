import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction, type TransactionContext } from '@/lib/db/transaction';
import { AUDIT_EVENTS } from '@/lib/domain/audit-events';
import { auditHash } from './verifier/event-hash.mjs';
import { testDatabase, type DatabaseRole, type TestDatabase } from '@/lib/testing/database';
import { auditCommitment } from './verifier/texts.mjs';
import { readRecords } from './audit-records';

let db: TestDatabase;
let personId: string;
const system: TransactionContext = {
  actor: { kind: 'system', id: 'system:test' },
  requestId: 'r-1',
  sourceAddress: null,
};
const person = (): TransactionContext => ({
  actor: { kind: 'person', id: personId },
  requestId: 'r-2',
  sourceAddress: '203.0.113.7',
});

beforeAll(async () => {
  db = await testDatabase();
  personId = await transaction(db.pool('owner'), system, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `insert into review.people (email, email_canonical, display_name, roles, authorities)
       values ('p@x.y', 'p@x.y', '각 P', '{OPERATOR,APPROVER}', '{money}') returning person_id as id`,
    );
    return rows[0]?.id ?? '';
  });
  await transaction(db.pool('owner'), system, (tx) =>
    appendAudit(tx, { event: 'sweep.ran_with_changes', outcome: 'done' }),
  );
});
afterAll(() => db.drop());

const statements = {
  update: `update review.audit_events set body = '{}'`,
  'update without a row': `update review.audit_events set body = '{}' where false`,
  delete: 'delete from review.audit_events',
  truncate: 'truncate review.audit_events',
  insert: `insert into review.audit_events select * from review.audit_events`,
  'move the head': 'update review.audit_head set number = 0',
  'remove the head': 'delete from review.audit_head',
  'add a head': `insert into review.audit_head values (true, 0, decode(repeat('00', 32), 'hex'))`,
  'add an event type': `insert into review.audit_event_types values ('made.up')`,
};

describe('the audit is only ever added to', () => {
  for (const role of ['app', 'worker', 'signer'] as const satisfies DatabaseRole[]) {
    it.each(Object.entries(statements))(`R-087e ${role} may not %s`, async (_, sql) => {
      await expect(db.pool(role).query(sql)).rejects.toMatchObject({ code: '42501' });
    });
  }

  it.each(['update', 'delete', 'truncate'] as const)('R-087e not even the owner may %s', async (act) => {
    await expect(db.pool('owner').query(statements[act])).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    'update',
    'update without a row',
    'delete',
    'truncate',
    'remove the head',
    'move the head',
  ] as const)('R-087f a trigger refuses the superuser, in replica role too: %s', async (act) => {
    const client = await db.pool('superuser').connect();
    try {
      for (const role of ['origin', 'replica']) {
        await client.query(`set session_replication_role = ${role}`);
        await expect(client.query(statements[act])).rejects.toMatchObject({ code: 'OA002' });
      }
    } finally {
      await client.query('reset session_replication_role');
      client.release();
    }
  });

  it('R-087e R-087v AU-21 nobody but the owner appends around the functions, and the app tells by itself only what changes nothing', async () => {
    const { url } = await db.producer();
    const { default: pg } = await import('pg');
    const producer = new pg.Pool({ connectionString: url, max: 1 });
    const call = (name: string, event: string, outcome: string) =>
      `select review.${name}('${event}', '${outcome}', ${outcome === 'refused' ? `'X'` : 'null'}, null, null, null, null, null, null, '{}')`;
    const roles = [db.pool('app'), db.pool('worker'), db.pool('signer'), producer];
    for (const role of roles) {
      await expect(role.query(call('append_audit', 'search.made', 'done'))).rejects.toMatchObject({
        code: '42501',
      });
      for (const event of [
        'audit.retired',
        'audit.text_erased',
        'audit.key_rotated',
        'audit.key_revoked',
        'audit.retention_changed',
      ])
        for (const outcome of ['done', 'refused'])
          await expect(role.query(call('record_act', event, outcome)), event).rejects.toMatchObject({
            code: '42501',
          });
    }
    await expect(producer.query('select 1 from review.audit_events')).rejects.toMatchObject({
      code: '42501',
    });
    await producer.end();
    const tell = (event: string, outcome: string) =>
      transaction(db.pool('app'), system, (tx) => tx.query(call('record_act', event, outcome)));
    for (const event of [
      'people.rights_changed',
      'policy.changed',
      'reissue.approved',
      'bootstrap.completed',
    ])
      await expect(tell(event, 'done'), event).rejects.toMatchObject({ code: '42501' });
    await tell('people.rights_changed', 'refused');
    for (const event of ['search.made', 'audit.exported', 'incident.report_exported', 'session.signed_out'])
      await tell(event, 'done');
    // No function that the app may call runs append_audit with the app's own rights.
    const { rows } = await db.pool('superuser')
      .query(`select proname from pg_proc where prosrc ~ 'append_audit\\(' and not prosecdef
      and (has_function_privilege('onceover_app', oid, 'execute') or has_function_privilege('onceover_worker', oid, 'execute'))`);
    expect(rows).toEqual([]);
  });
});

describe('an event', () => {
  it('R-086a is refused without an actor, a request, or a person who exists', async () => {
    const call = `select review.append_audit('sweep.ran_with_changes', 'done', null, null, null, null, null, null, null, '{}')`;
    await expect(db.pool('owner').query(call)).rejects.toMatchObject({ code: 'OA001' });
    const nameless = { ...system, requestId: '' };
    await expect(transaction(db.pool('owner'), nameless, (tx) => tx.query(call))).rejects.toMatchObject({
      code: 'OA001',
    });
    const stranger: TransactionContext = {
      ...system,
      actor: { kind: 'person', id: '00000000-0000-7000-8000-000000000000' },
    };
    await expect(transaction(db.pool('owner'), stranger, (tx) => tx.query(call))).rejects.toMatchObject({
      code: 'OA003',
    });
  });

  it('R-086b R-086i AU-15 AU-18 carries who, roles and authorities at that time, what, on what, when, from where and the request', async () => {
    const executionId = '0199aaaa-0000-7000-8000-000000000001';
    const operationId = '5b1f2f64-56c5-4d2a-b7a4-3f3b7f0f6f11';
    const number = await transaction(db.pool('owner'), person(), (tx) =>
      appendAudit(tx, {
        event: 'reissue.requested',
        outcome: 'refused',
        refusalCode: 'AUTHORITY_MISSING',
        tenantId: 'tenant-north',
        executionId,
        operation: 'create-order',
        operationId,
        body: { rationale: '주문을\n다시', after: { amount: '1.10' } },
      }),
    );
    await transaction(db.pool('owner'), system, (tx) =>
      tx.query(`update review.people set roles = '{MANAGER}', authorities = '{sending}'`),
    );
    const [record] = await readRecords(db.pool('app'), BigInt(number) - 1n, 1);
    expect(record).toMatchObject({
      number,
      event: 'reissue.requested',
      outcome: 'refused',
      refusalCode: 'AUTHORITY_MISSING',
      actorKind: 'person',
      actorId: personId,
      actorName: '각 P',
      actorRoles: ['OPERATOR', 'APPROVER'],
      tenantId: 'tenant-north',
      executionId,
      operation: 'create-order',
      operationId,
      httpRequestId: 'r-2',
      sourceAddress: '203.0.113.7',
    });
    const { rationale } = record?.texts ?? {};
    expect(rationale?.value).toBe('주문을\n다시');
    expect(JSON.parse(record?.body ?? '')).toEqual({
      after: { amount: '1.10' },
      authoritiesThen: ['money'],
      commitments: { rationale: auditCommitment('rationale', rationale?.salt ?? '', '주문을\n다시') },
    });
    expect(record?.occurredAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('R-086c a refusal needs its code, a done act has none, an unknown event is refused', async () => {
    const append = (event: string, outcome: string, code: string | null) =>
      transaction(db.pool('owner'), system, (tx) =>
        tx.query('select review.append_audit($1, $2, $3, null, null, null, null, null, null, null)', [
          event,
          outcome,
          code,
        ]),
      );
    await expect(append('access.denied', 'refused', null)).rejects.toMatchObject({
      constraint: 'audit_events_refusal_has_code',
    });
    await expect(append('access.denied', 'done', 'X')).rejects.toMatchObject({
      constraint: 'audit_events_done_has_no_code',
    });
    await expect(append('access.denied', 'perhaps', null)).rejects.toMatchObject({ code: '23514' });
    await expect(append('made.up', 'done', null)).rejects.toMatchObject({ code: '23503' });
  });

  it('R-086c the union of events is the same in the database and in the code', async () => {
    const { rows } = await db
      .pool('app')
      .query<{ event: string }>('select event from review.audit_event_types');
    expect(rows.map((row) => row.event).sort()).toEqual([...AUDIT_EVENTS].sort());
  });

  it('AU-02 vanishes with the change that it tells of, and the change with it', async () => {
    const count = async () => (await db.pool('app').query('select number from review.audit_head')).rows[0];
    const before = await count();
    const both = transaction(db.pool('owner'), person(), async (tx) => {
      await tx.query(`update review.people set locale = 'ko' where person_id = $1`, [personId]);
      await appendAudit(tx, { event: 'exception.commented', outcome: 'done' });
      throw new Error('failpoint after the audit insert');
    });
    await expect(both).rejects.toThrow('failpoint');
    const inside = transaction(db.pool('owner'), person(), async (tx) => {
      await tx.query(`update review.people set locale = 'ko' where person_id = $1`, [personId]);
      await tx.query(
        `select review.append_audit('made.up', 'done', null, null, null, null, null, null, null, null)`,
      );
    });
    await expect(inside).rejects.toMatchObject({ code: '23503' });
    expect(await count()).toEqual(before);
    expect((await db.pool('app').query('select locale from review.people')).rows).toEqual([{ locale: null }]);
  });

  it('AU-10 the code computes the database’s hash from the exported text, in any zone, style and locale', async () => {
    const bodies = [
      '{"n": 9007199254740993, "d": 1.10, "a": 1, "a": 2}',
      `{"name": "${'각'.normalize('NFD')}", "e": "\\ud83d\\ude00", "c": "\\u0001"}`,
      '{}',
    ];
    for (const body of bodies) {
      await transaction(db.pool('owner'), person(), (tx) =>
        tx.query(
          `select review.append_audit('exception.commented', 'done', null, 'tenant-north', null, null, null, '', null, $1::jsonb)`,
          [body],
        ),
      );
    }
    await db.setClock('2026-11-29T23:59:59.999999Z');
    await transaction(db.pool('owner'), system, async (tx) => {
      await tx.query(
        `set local timezone = 'Asia/Kolkata'; set local datestyle = 'German'; set local extra_float_digits = 0`,
      );
      await appendAudit(tx, {
        event: 'sweep.ran_with_changes',
        outcome: 'done',
        body: { text: 'ñ\r\n\u001b[31m\u202e' },
      });
    });
    await db.setClock(null);
    const client = await db.pool('signer').connect();
    await client.query(`set timezone = 'America/St_Johns'; set datestyle = 'SQL, DMY'; set lc_numeric = 'C'`);
    const records = await readRecords(client, null, 1_000);
    await client.query('reset all');
    client.release();
    expect(records.length).toBeGreaterThan(5);
    for (const record of records) expect(auditHash(record)).toBe(record.hash);
    expect(records.at(-1)?.occurredAt).toBe('2026-11-29T23:59:59.999999Z');
    expect(records.find((record) => record.body.includes('9007199254740993'))?.body).toContain('1.10');
  });
});
