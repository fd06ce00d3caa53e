import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseTexts } from '@/lib/audit/erase-texts';
import { verifyChain } from '@/lib/audit/verify-chain';
import { reportExport } from '@/lib/audit/verifier/report.mjs';
import { verifyExport } from '@/lib/audit/verifier/verify-export.mjs';
import { readAuditBody } from '@/lib/domain/audit-body';
import { digestOfAll } from '@/lib/testing/audit-failpoints';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { deskFixture, type DeskFixture } from '@/lib/testing/desk-fixture';
import { doubtFixture } from '@/lib/testing/doubt-fixture';
import { testContext } from '@/lib/testing/people';
import { installSecondVerifier, secondFirstBad } from '@/lib/testing/second-verifier';
import { readHead, readRecords } from '@/lib/audit/audit-records';
import { tamper } from '@/lib/testing/signer-fixture';
import { ANY_AUDIT_EVENT } from './audit-filter';
import { commentException } from './comment-exception';
import type { LookingContext } from './desk-context';
import { exportAudit } from './export-audit';
import { getAuditEvent } from './get-audit-event';
import { linkResult } from './link-result';
import { listAuditEvents } from './list-audit-events';

const CANARY = 'Frau Kim, Tel. four two';
let db: TestDatabase;
let desk: DeskFixture;
let operator: LookingContext;
let manager: LookingContext;
beforeAll(async () => {
  process.env['FIELD_HASH_KEY'] = 'a key of the test';
  db = await testDatabase();
  desk = await deskFixture(db);
  operator = await desk.desk();
  manager = await desk.desk({ roles: ['MANAGER'] });
  await installSecondVerifier(db.pool('superuser'));
});
afterAll(async () => {
  await desk.close();
  await db.drop();
});

/** A settled payment about which somebody wrote more than should stay. */
async function settled() {
  const { id, exceptionId, form } = await doubtFixture(desk, operator).paid();
  const { rationale: _why, executionVersion: _version, ...comment } = form;
  const { evidenceId: _e, lookAgain: _l, ...act } = comment;
  await commentException(operator, { ...act, operationId: crypto.randomUUID(), text: `${CANARY} called.` });
  const { form: again } = await desk.seen(operator, exceptionId);
  expect(
    await linkResult(operator, {
      ...form,
      ...again,
      evidenceId: form.evidenceId,
      rationale: `${CANARY} says it arrived.`,
    }),
  ).toMatchObject({ outcome: 'done' });
  return { id, exceptionId };
}
const erase = (id: string) => eraseTexts(db.pool('owner'), testContext, { execution: id }, 'DSR-17');
const exported = async () => {
  const answer = await exportAudit(manager, ANY_AUDIT_EVENT, 'jsonl');
  if (answer.kind !== 'export') throw new Error(answer.kind);
  return Buffer.from(await new Response(answer.stream).arrayBuffer()).toString();
};
const verified = (text: string) => verifyExport(text.split('\n').slice(0, -1), null);
const firstBad = async () => {
  const found = await verifyChain(db.pool('signer'));
  const { head } = await readHead(db.pool('signer'));
  const events = await readRecords(db.pool('signer'), null, 1_000);
  const second = await secondFirstBad(db.pool('superuser'), { events, head: head!, checkpoints: [] });
  const first = found.kind === 'broken' ? found.fault : null;
  expect(second, 'the second implementation').toBe(first?.number ?? null);
  return first;
};
/** Tables in which the words stand, anywhere in a row. */
async function whereIs(words: string): Promise<string[]> {
  const superuser = db.pool('superuser');
  const found: string[] = [];
  for (const name of Object.keys(await digestOfAll(db))) {
    const { rows } = await superuser.query(`select from ${name} t where t::text like $1 limit 1`, [
      `%${words}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

describe('erasing what people wrote', () => {
  it('AU-18 R-089a takes it out of every table; the chain, the exports of before and those of after verify', async () => {
    const { id } = await settled();
    const before = await exported();
    expect(before).toContain(CANARY);
    expect(await whereIs(CANARY)).toEqual([
      'review.audit_texts',
      'review.decisions',
      'review.exception_events',
    ]);
    expect(await firstBad()).toBeNull();
    const answer = await erase(id);
    expect(answer).toMatchObject({ outcome: 'done' });
    expect(await whereIs(CANARY)).toEqual([]);
    expect(await firstBad()).toBeNull();
    expect(await verified(before)).toMatchObject({ kind: 'verified', proof: { absent: 0 } });
    const after = await exported();
    expect(after).not.toContain(CANARY);
    const found = await verified(after);
    expect(found).toMatchObject({ kind: 'verified', proof: { absent: 2 } });
    expect(reportExport(found).text).toContain('2 texts are not there any more');
  });

  it('AU-18 R-089a is on record by number and place, and the page says that something was erased', async () => {
    const { id } = await settled();
    const answer = await erase(id);
    if (answer.outcome !== 'done') throw new Error(answer.outcome);
    expect(answer.texts.map((each) => each.replace(/^\d+\//, ''))).toEqual(['text', 'rationale']);
    const { rows } = await db
      .pool('app')
      .query(
        `select body, execution_id, actor_id from review.audit_events where event = 'audit.text_erased' order by number desc limit 1`,
      );
    expect(rows[0]).toMatchObject({ execution_id: id, actor_id: 'system:test' });
    expect(JSON.parse((rows[0] as { body: string }).body)).toEqual({
      reference: 'DSR-17',
      texts: answer.texts,
    });
    const event = await getAuditEvent(
      { actor: manager.actor, db: db.pool('app') },
      BigInt(answer.texts[1]!.split('/')[0]!),
    );
    const body = readAuditBody(event!.event.body, event!.event.texts);
    expect(body.rationale).toBeNull();
    expect(body.details).toContainEqual({ name: 'erased', values: ['rationale'] });
  });

  it('PR-06 AU-18 R-089b is refused, on record, while its exception is open; nothing is touched', async () => {
    const { id, exceptionId, form } = await doubtFixture(desk, operator).paid();
    const { rationale: _w, executionVersion: _v, evidenceId: _e, lookAgain: _l, ...act } = form;
    await commentException(operator, { ...act, text: `HELD ${CANARY}` });
    const before = await digestOfAll(db, ['review.audit_events', 'review.audit_head']);
    expect(await erase(id)).toEqual({ outcome: 'held' });
    expect(await eraseTexts(db.pool('owner'), testContext, { exception: exceptionId }, 'DSR-17')).toEqual({
      outcome: 'held',
    });
    expect(await digestOfAll(db, ['review.audit_events', 'review.audit_head'])).toEqual(before);
    const { rows } = await db
      .pool('app')
      .query(
        `select outcome, refusal_code from review.audit_events where event = 'audit.text_erased' order by number desc limit 1`,
      );
    expect(rows).toEqual([{ outcome: 'refused', refusal_code: 'LEGAL_HOLD' }]);
  });

  it('PR-06 R-089b a request that waits for its second person holds its texts as well', async () => {
    const { id } = await doubtFixture(desk, operator).requested();
    expect(await erase(id)).toEqual({ outcome: 'held' });
  });

  it('AU-18 R-089c is the owner’s alone, and the guards stand again afterwards', async () => {
    for (const role of ['app', 'worker', 'signer'] as const)
      await expect(
        db.pool(role).query(`select review.erase_texts($1, 'x')`, [{ execution: crypto.randomUUID() }]),
      ).rejects.toMatchObject({ code: '42501' });
    await erase((await settled()).id);
    for (const sql of [
      'update review.decisions set rationale = rationale',
      'update review.approval_requests set rationale = rationale',
      'update review.approval_decisions set rationale = rationale',
      'update review.exception_events set detail = detail',
      'update review.lookups set seen = seen',
      'update review.break_glass_uses set reason = reason',
      'update review.right_grants set reason = reason',
      'update review.policy_proposals set reason = reason',
      'update review.connector_proposals set reason = reason',
      'delete from review.audit_texts',
    ]) {
      const { rows } = await db
        .pool('superuser')
        .query<{ enabled: string }>(
          `select tgenabled as enabled from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgname ~ '(only_added|_keep)$'`,
          [/review\.\w+/.exec(sql)![0]],
        );
      expect(
        rows.map(({ enabled }) => enabled),
        sql,
      ).toEqual(['A']);
    }
    await expect(db.pool('owner').query('delete from review.audit_texts')).rejects.toMatchObject({
      code: 'OA002',
    });
  });

  it('R-087q AU-18 a text that was changed, or taken away without an event, is found at its number', async () => {
    await settled();
    const { rows } = await db
      .pool('app')
      .query<{ n: string }>(`select max(event_number)::text as n from review.audit_texts`);
    const number = BigInt(rows[0]!.n);
    const touch = (sql: string) =>
      tamper(
        db,
        `alter table review.audit_texts disable trigger all; ${sql}; alter table review.audit_texts enable trigger all`,
      );
    await touch(`update review.audit_texts set value = value || '.' where event_number = ${number}`);
    expect(await firstBad()).toEqual({ number, reason: 'TEXT' });
    expect(await verified(await exported())).toMatchObject({
      kind: 'broken',
      fault: { number, reason: 'TEXT' },
    });
    await touch(`delete from review.audit_texts where event_number = ${number}`);
    expect(await firstBad()).toEqual({ number, reason: 'TEXT' });
    await touch(`insert into review.audit_texts values (1, 'seen', sha256('x'), 'made up')`);
    expect(await firstBad()).toEqual({ number: 1n, reason: 'TEXT' });
  });

  it('AU-18 the search finds what is there, and not what was erased', async () => {
    const { id } = await settled();
    const search = async () => {
      const filter = { ...ANY_AUDIT_EVENT, text: CANARY, executionId: id };
      const answer = await listAuditEvents(
        { actor: manager.actor, db: db.pool('app') },
        { filter, sort: 'number', cursor: null, size: 50 },
      );
      return answer.kind === 'page' ? answer.rows.length : -1;
    };
    expect(await search()).toBe(2);
    await erase(id);
    expect(await search()).toBe(0);
  });
});
