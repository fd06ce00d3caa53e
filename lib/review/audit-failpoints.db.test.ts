import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_POINTS, digestOfAll, failAuditAt, FAILPOINT } from '@/lib/testing/audit-failpoints';
import { auditedActs } from '@/lib/testing/audited-acts';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskCommands } from '@/lib/testing/desk-commands';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';

let db: TestDatabase;
let desk: DeskFixture;
/** What was under way when a failpoint struck: SQL functions, as the errors' own traces tell. */
const struck = new Set<string>();
let acts: Record<string, () => Promise<() => Promise<unknown>>>;

beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
  const [operator, approver] = [await desk.desk(), await desk.desk({ roles: ['APPROVER'] })];
  const [admin, second] = [await desk.desk({ roles: ['ADMIN'] }), await desk.desk({ roles: ['ADMIN'] })];
  acts = auditedActs(desk, { operator, approver, admin, second });
  for (const [name, { prepare }] of Object.entries(await deskCommands(desk, operator, approver)))
    acts[name] = async () => {
      const { command, input, by } = await prepare();
      return async () => {
        const answer = await command(by, input);
        if (answer.outcome !== 'done' && answer.outcome !== 'requested')
          throw new Error(JSON.stringify(answer));
      };
    };
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** Counted before the person is known, in a transaction of its own: an attempt is no act. */
const ATTEMPTS: Readonly<Record<string, string[]>> = {
  'sign-in': ['review.sign_in_attempts'],
  'sign-in, refused': ['review.sign_in_attempts'],
};

describe.each(AUDIT_POINTS)('an error at the point “%s” of writing the audit event', (point) => {
  it('AU-02 R-077c undoes the act with its event; afterwards the same act comes about with its event', async () => {
    for (const [name, prepare] of Object.entries(acts)) {
      const act = await prepare();
      const before = await digestOfAll(db, ATTEMPTS[name]);
      const mend = await failAuditAt(db, point);
      const error = await act().then(
        () => null,
        (thrown: Error & { code?: string; where?: string }) => thrown,
      );
      await mend();
      expect(error?.code, `${name}: ${error?.message ?? 'nothing was thrown'}`).toBe(FAILPOINT);
      for (const [, fn] of (error?.where ?? '').matchAll(/function (?:[a-z]+\.|")([a-z_]+)[("]/g))
        struck.add(fn!);
      expect(await digestOfAll(db, ATTEMPTS[name]), name).toEqual(before);
      await act();
      const after = await digestOfAll(db, ATTEMPTS[name]);
      expect(after['review.audit_events'], name).not.toBe(before['review.audit_events']);
    }
  }, 120_000);
});

describe('the acts above', () => {
  it('AU-02 are all there are: every function and module that appends an event', async () => {
    const { rows } = await db.pool('owner').query<{ name: string }>(
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('ledger', 'review') and p.prosrc like '%append_audit(%'`,
    );
    expect(rows.map(({ name }) => name).filter((name) => !struck.has(name))).toEqual([]);

    const modules = readdirSync('lib', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/(\.test|^testing\/.*|^db\/append-audit)\.ts$/.test(file))
      .filter((file) => readFileSync(`lib/${file}`, 'utf8').includes('appendAudit('))
      .map((file) => file.replace(/.*\/|\.ts$/g, ''));
    // Written once, by installation programs, together with their rows: lib/commands has the tests of these.
    const installing = ['configuration-once', 'make-demo'];
    expect(modules.filter((name) => !(name in acts) && !installing.includes(name))).toEqual([]);
  });

  it('AU-15 each say who acted in which kind, in answer to what, for which tenant, and a job on whose behalf', async () => {
    const { rows } = await db
      .pool('owner')
      .query<Record<string, string | null>>('select * from review.audit_events');
    const told = (row: Record<string, string | null>) =>
      `${row['event']} ${row['outcome']} by ${row['actor_id']}`;
    for (const row of rows) {
      expect(row['http_request_id'], told(row)).toMatch(/\S/);
      const about = ['exception_id', 'execution_id', 'approval_request_id', 'operation'].some(
        (id) => row[id] !== null,
      );
      if (about) expect(row['tenant_id'], told(row)).toBe('tenant-north');
      if (row['actor_kind'] === 'system') {
        expect(row['actor_id']).toMatch(/^system:[a-z]+$/);
        expect(row['source_address'], told(row)).toBeNull();
      }
      if (row['actor_kind'] === 'system' && row['approval_request_id'] !== null) {
        const { onBehalfOf, requestedBy } = JSON.parse(row['body'] ?? '') as Record<string, string>;
        expect(onBehalfOf ?? requestedBy, told(row)).toMatch(/^[0-9a-f-]{36}$/);
      }
      if (row['http_request_id']?.startsWith('req-') === true)
        expect(row['source_address'], told(row)).toBe('192.0.2.9');
    }
    const kinds = new Set(rows.map((row) => `${row['event']} ${row['actor_kind']}`));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'reissue.executed system',
        'reissue.expired system',
        'reissue.approved person',
      ]),
    );
  });
});
