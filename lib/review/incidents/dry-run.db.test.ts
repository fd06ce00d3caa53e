import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import {
  agreeing,
  ENOUGH,
  incidentFixture,
  READING,
  reportOf,
  type IncidentFixture,
} from '@/lib/testing/incident-fixture';
import type { LookingContext } from '../desk-context';

let db: TestDatabase;
let desk: DeskFixture;
let incidents: IncidentFixture;
let first: LookingContext;
let second: LookingContext;
beforeAll(async () => {
  db = await testDatabase();
  desk = await deskFixture(db);
  incidents = incidentFixture(desk);
  first = await desk.desk();
  second = await desk.desk();
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

describe('the dry run of a report', () => {
  it('R-056d gives each row its verdict and links nothing', async () => {
    const outage = await incidents.outage();
    const [a, b, c, d, e, f, ...rest] = outage.members;
    const file = reportOf(
      { reference: a!.key },
      { reference: b!.key, status: 'pending' },
      { reference: c!.key, status: 'refunded' },
      { reference: d!.key, account: 'other' },
      { reference: e!.key, amount: '120.51' },
      { reference: f!.key, id: 'one' },
      { reference: f!.key, id: 'two' },
      { reference: rest[0]!.key, status: 'who-knows' },
      { reference: 'of-nobody' },
    );
    const reportId = await incidents.judged(first, outage, file);
    expect((await incidents.rows(reportId)).map((row) => row['verdict'])).toEqual([
      'LINK',
      'PENDING',
      'REVERSED',
      'MISMATCH',
      'MISMATCH',
      'MULTIPLE',
      'MULTIPLE',
      'UNREADABLE',
      'ORPHAN',
    ]);
    expect(await incidents.executionOf(a!.id)).toMatchObject({ state: 'UNKNOWN', result_id: null });
    const stored = JSON.stringify([await incidents.rows(reportId), await incidents.report(reportId)]);
    expect(stored).not.toContain('nobody named');
  });

  it('R-056e keeps nothing of a file that is refused', async () => {
    const outage = await incidents.outage();
    const before = await db.pool('owner').query('select count(*) from review.report_rows');
    const good = reportOf(...agreeing(outage)).toString();
    const cases: [Buffer, object][] = [
      [Buffer.from(`${good}\r\n"open`), { fault: 'OPEN_QUOTE' }],
      [Buffer.from(`${good}\r\nx,y`), { fault: 'COLUMN_COUNT', line: ENOUGH + 2 }],
      [Buffer.from(good.replace('note', '__proto__')), { fault: 'HEADER_UNUSABLE', line: 1 }],
      [Buffer.from(good.replace('note', 'id')), { fault: 'HEADER_TWICE', line: 1 }],
      [Buffer.concat([Buffer.from(good), Buffer.from([0xff])]), { fault: 'NOT_UTF8' }],
      [Buffer.from(good.replace('named', 'na\0ed')), { fault: 'CONTROL_CHARACTER', line: 2 }],
      [Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), { fault: 'TOO_LARGE' }],
      [Buffer.from(good.replace('amount', 'sum')), { columns: ['amount'] }],
    ];
    for (const [file, said] of cases)
      expect(await incidents.judge(first, outage, file)).toMatchObject({ outcome: 'refused', file: said });
    expect((await db.pool('owner').query('select count(*) from review.report_rows')).rows).toEqual(
      before.rows,
    );
    expect(await incidents.judge(first, outage, Buffer.from(`\ufeff${good}`))).toMatchObject({
      outcome: 'done',
    });
  });

  it('R-056e asks for every field that the connector compares', async () => {
    const outage = await incidents.outage();
    const reading = { content: [{ expected: '{display:/other}', column: 'amount', match: 'exact' }] };
    expect(
      await incidents.judge(first, outage, reportOf(...agreeing(outage)), {
        reading: { ...READING, ...reading },
      }),
    ).toMatchObject({ code: 'CONTENT_NOT_NAMED', file: { fields: ['{display:/amount}'] } });
  });

  it('R-056f LC-21 keeps the same file once, also when it comes twice at once', async () => {
    const outage = await incidents.outage();
    const file = reportOf(...agreeing(outage));
    const answers = await Promise.all([
      incidents.judge(first, outage, file),
      incidents.judge(second, outage, file),
    ]);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['done', 'refused']);
    expect(answers.find(({ outcome }) => outcome === 'refused')).toMatchObject({ code: 'REPORT_KNOWN' });
    const ids = answers.map((answer) => 'reportId' in answer && answer.reportId);
    expect(new Set(ids).size).toBe(1);
  });

  it('R-056e R-098 takes a report from whoever may link, and of the incident’s own tenant alone', async () => {
    const outage = await incidents.outage();
    const file = reportOf(...agreeing(outage));
    const by = async (rights: object) => incidents.judge(await desk.desk(rights), outage, file);
    expect(await by({ authorities: [] })).toMatchObject({ code: 'AUTHORITY_MISSING' });
    expect(await by({ roles: ['MANAGER'] })).toMatchObject({ code: 'ROLE_MISSING' });
    expect(await by({ tenants: ['tenant-south'] })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
