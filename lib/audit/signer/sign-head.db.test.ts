import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import {
  appendEvents,
  REHASHED,
  signerFixture,
  tamper,
  type SignerFixture,
} from '@/lib/testing/signer-fixture';
import { checkpointLine } from '../verifier/checkpoint.mjs';
import { signHead } from './sign-head';
import { SIGNER_ALARMS } from './alarm';

let db: TestDatabase;
let fixture: SignerFixture;
beforeEach(async () => {
  db = await testDatabase();
  fixture = signerFixture(db);
});
afterEach(async () => {
  fixture.remove();
  await db.drop();
});

const published = async () =>
  (
    await db
      .pool('app')
      .query<{ record: string }>('select record from review.audit_checkpoints order by sequence')
  ).rows.map(({ record }) => record);
const alarmRow = async () =>
  (
    await db
      .pool('app')
      .query<{ alarm: string | null; alarm_number: string | null }>(
        'select alarm, alarm_number from review.audit_signer',
      )
  ).rows[0];

describe('signing the head', () => {
  it('R-087i signs while there is news, into a file and for display, and nothing twice', async () => {
    expect(await fixture.sign()).toEqual({ kind: 'nothing-new', number: 0n });
    await appendEvents(db, 3);
    expect(await fixture.sign()).toMatchObject({ kind: 'signed', record: { type: 'key', number: '3' } });
    expect(await fixture.sign()).toEqual({ kind: 'nothing-new', number: 3n });
    await appendEvents(db, 2);
    expect(await fixture.sign()).toMatchObject({
      kind: 'signed',
      record: { type: 'checkpoint', number: '5' },
    });
    expect(fixture.records().map(({ sequence, number }) => [sequence, number])).toEqual([
      ['1', '3'],
      ['2', '5'],
    ]);
    expect(await published()).toEqual(fixture.records().map((record) => checkpointLine(record)));
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', upTo: 5n, signed: { number: 5n } });
    expect(await alarmRow()).toEqual({ alarm: null, alarm_number: null });
  });

  it('R-087i the signing role can publish and nothing else, nobody else can publish', async () => {
    const line = `select review.publish_checkpoint('{}')`;
    for (const role of ['app', 'worker'] as const) {
      await expect(db.pool(role).query(line)).rejects.toMatchObject({ code: '42501' });
      await expect(db.pool(role).query('select review.report_signer(null, null)')).rejects.toMatchObject({
        code: '42501',
      });
    }
    await expect(
      db.pool('signer').query(`select review.record_key_change('audit.exported', gen_random_uuid(), '{}')`),
    ).rejects.toMatchObject({ code: 'OA001' });
    await expect(db.pool('signer').query('delete from review.audit_checkpoints')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(db.pool('superuser').query('delete from review.audit_checkpoints')).rejects.toMatchObject({
      code: 'OA002',
    });
  });

  it('R-087i AU-19 after a long absence it catches up in one step', async () => {
    await appendEvents(db, 2);
    await fixture.sign();
    await db.advanceClock('1 hour');
    await appendEvents(db, 1_100);
    expect(await fixture.sign()).toMatchObject({ kind: 'signed', record: { number: '1102' } });
    expect(await fixture.verify()).toMatchObject({ kind: 'verified', signed: { number: 1102n } });
  }, 60_000);

  it('the list of alarms is the same in the database and in the code', async () => {
    for (const code of SIGNER_ALARMS)
      await db.pool('signer').query('select review.report_signer($1, null)', [code]);
    await expect(
      db.pool('signer').query(`select review.report_signer('MADE_UP', null)`),
    ).rejects.toMatchObject({
      constraint: 'audit_signer_alarm_known',
    });
  });
});

describe('a head that does not extend what was signed', () => {
  beforeEach(async () => {
    await appendEvents(db, 6);
    await fixture.sign();
    await appendEvents(db, 4);
    await fixture.sign();
  });

  it.each<[string, string, object]>([
    [
      'yesterday’s dump',
      `delete from review.audit_events where number > 8; ${REHASHED}`,
      { code: 'TRUNCATED', number: 9n },
    ],
    [
      'yesterday’s dump, and work since',
      `delete from review.audit_events where number > 8;
       insert into review.audit_events select 9, gen_random_uuid(), occurred_at, event, outcome, refusal_code, actor_kind, actor_id, actor_name,
         actor_roles, tenant_id, exception_id, execution_id, approval_request_id, operation, operation_id, body, http_request_id,
         source_address, sha256('a'), sha256('b') from review.audit_events where number = 8;
       insert into review.audit_events select 10, gen_random_uuid(), occurred_at, event, outcome, refusal_code, actor_kind, actor_id, actor_name,
         actor_roles, tenant_id, exception_id, execution_id, approval_request_id, operation, operation_id, body, http_request_id,
         source_address, sha256('c'), sha256('d') from review.audit_events where number = 8;
       ${REHASHED}`,
      { code: 'REWRITTEN', number: 7n },
    ],
    [
      'a row changed and everything after it computed anew',
      `update review.audit_events set body = '{"n": 0}' where number = 8; ${REHASHED}`,
      { code: 'REWRITTEN', number: 7n },
    ],
    [
      'a whole other log',
      `update review.audit_events set body = '{"n": 0}' where number = 1; ${REHASHED}`,
      { code: 'OTHER_LOG', number: 1n },
    ],
    [
      'everything gone',
      `delete from review.audit_events; update review.audit_head set number = 0, hash = decode(repeat('00', 32), 'hex')`,
      { code: 'TRUNCATED', number: 1n },
    ],
  ])('R-087j AU-06 is not signed, and an alarm is raised: %s', async (_, sql, alarm) => {
    const before = readFileSync(fixture.signer.files.checkpoints, 'utf8');
    await tamper(db, sql);
    expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm });
    expect(readFileSync(fixture.signer.files.checkpoints, 'utf8')).toBe(before);
    expect((await alarmRow())?.alarm).toBe((alarm as { code: string }).code);
  });

  it('R-087j what came since must hold together', async () => {
    await appendEvents(db, 3);
    await tamper(db, `update review.audit_events set body = '{}' where number = 12`);
    expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm: { code: 'BROKEN', number: 12n } });
  });

  it('R-087j an alarm keeps the time at which it began, and ends when the log is whole again', async () => {
    await db.pool('superuser').query('create table review.kept as select * from review.audit_events');
    await tamper(db, `update review.audit_events set body = '{"n": 0}' where number = 8; ${REHASHED}`);
    const since = async () =>
      (
        await db
          .pool('app')
          .query<{ since: string }>('select alarm_since::text as since from review.audit_signer')
      ).rows[0]?.since;
    await fixture.sign();
    const first = await since();
    await db.advanceClock('1 minute');
    await fixture.sign();
    expect(await since()).toBe(first);
    await tamper(
      db,
      `delete from review.audit_events; insert into review.audit_events select * from review.kept;
       update review.audit_head set hash = (select hash from review.kept where number = 10)`,
    );
    expect(await fixture.sign()).toEqual({ kind: 'nothing-new', number: 10n });
    expect(await since()).toBeNull();
  });

  it('R-087j nor is anything when its own file or state is not as it left them', async () => {
    const { checkpoints } = fixture.signer.files;
    const whole = readFileSync(checkpoints, 'utf8');
    await appendEvents(db, 1);
    writeFileSync(checkpoints, whole.slice(0, whole.indexOf('\n') + 1));
    expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm: { code: 'FILE_CHANGED', number: null } });
    rmSync(checkpoints);
    expect(await fixture.sign()).toMatchObject({ alarm: { code: 'FILE_CHANGED' } });
    rmSync(path.join(fixture.folder, 'audit-signer-state.json'));
    expect(await fixture.sign()).toMatchObject({ alarm: { code: 'STATE_LOST' } });
    // The published file alone is enough to go on from.
    writeFileSync(checkpoints, whole);
    expect(await fixture.sign()).toMatchObject({ kind: 'signed', record: { sequence: '3', number: '11' } });
  });

  it('R-087z AU-05 nor is anything when a line inside its file was changed, whoever put size and times back', async () => {
    const { checkpoints } = fixture.signer.files;
    const whole = readFileSync(checkpoints, 'utf8');
    const state = path.join(fixture.folder, 'audit-signer-state.json');
    const remembered = readFileSync(state, 'utf8');
    const first = whole.slice(0, whole.indexOf('\n'));
    for (const changed of [
      first.replace(/"signature":"./, '"signature":"/'),
      first.replace('"number":"6"', '"number":"5"'),
    ]) {
      expect(changed).not.toBe(first);
      writeFileSync(checkpoints, whole.replace(first, changed));
      await appendEvents(db, 1);
      expect(await fixture.sign()).toEqual({ kind: 'alarm', alarm: { code: 'FILE_CHANGED', number: null } });
    }
    writeFileSync(checkpoints, whole);
    expect(await fixture.sign()).toMatchObject({ kind: 'signed' });
    // A state of before this was remembered takes the file as it is, line after line.
    const { digest: _, mark: __, ...older } = JSON.parse(remembered) as Record<string, unknown>;
    writeFileSync(checkpoints, whole.replace('"number":"6"', '"number":"5"'));
    writeFileSync(state, JSON.stringify(older));
    expect(await fixture.sign()).toMatchObject({ alarm: { code: 'FILE_CHANGED' } });
    writeFileSync(checkpoints, whole);
    expect(await fixture.sign()).toMatchObject({ alarm: { code: 'FORKED' } });
  });

  it('R-087j two signers with one key and two folders are noticed as a fork', async () => {
    const other = signerFixture(db);
    const files = other.signer.files;
    writeFileSync(files.checkpoints, readFileSync(fixture.signer.files.checkpoints));
    await appendEvents(db, 1);
    await fixture.sign();
    await appendEvents(db, 1);
    expect(await signHead({ ...other.signer, key: fixture.signer.key })).toMatchObject({
      alarm: { code: 'FORKED' },
    });
    other.remove();
  });
});
