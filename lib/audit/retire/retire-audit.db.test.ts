import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_POINTS, failAuditAt, FAILPOINT } from '@/lib/testing/audit-failpoints';
import { testContext } from '@/lib/testing/people';
import { archivesOf, NOW, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';
import { readRetirements } from '../retirements';
import { verifyFile } from '../verifier/main.mjs';
import { keepAudit } from './keep-audit';

let world: RetirementFixture;
beforeEach(async () => {
  world = await retirementFixture();
  await world.append(10);
  await world.append(2, { body: { text: 'CANARY of long ago' } });
});
afterEach(() => world.close());

const partitions = async () => {
  const { rows } = await world.db.pool('owner').query<{
    name: string;
  }>(`select relname as name from pg_class where relispartition and relkind = 'r' and relname like 'audit_%' order by 1`);
  return rows.map(({ name }) => name);
};

describe('retiring old events', () => {
  it('R-089d moves whole partitions into an archive that verifies by itself; the chain, its texts and the signer go on', async () => {
    expect(await world.cut()).toBe(12n);
    await world.append(3, { body: { text: 'stays' } });
    await world.signUp();
    await world.db.setClock(NOW);
    const done = await world.retire();
    expect(done).toMatchObject({ outcome: 'done', first: 1n, last: 12n, event: 17n });
    if (done.outcome !== 'done') throw new Error('unreachable');
    expect(await world.numbers()).toEqual({ first: '13', count: 5 });
    const { rows } = await world.db.pool('owner').query(
      `select (select count(*)::int from review.audit_texts) as texts,
         (select count(*)::int from review.audit_texts where value like '%CANARY%') as old`,
    );
    expect(rows).toEqual([{ texts: 3, old: 0 }]);
    expect(readFileSync(done.file, 'utf8')).toContain('CANARY of long ago');
    expect(await verifyFile({ export: done.file })).toEqual({
      exitCode: 0,
      text: expect.stringMatching(
        /calls itself the archive of these numbers, and both its ends are signed.*\n12 of them lead/,
      ),
    });
    expect(
      await verifyFile({ export: done.file, checkpoints: world.signer.signer.files.checkpoints }),
    ).toMatchObject({ exitCode: 0, text: expect.stringContaining('the last of them at number 12') });
    expect(await world.verify()).toMatchObject({ kind: 'verified', after: 12n, upTo: 17n });
    expect(await world.signer.sign()).toMatchObject({ kind: 'signed', more: false });
    expect(await world.verify()).toMatchObject({ kind: 'verified', signed: { number: 17n } });
    expect(await world.verify(await archivesOf(world))).toEqual({
      kind: 'verified',
      upTo: 17n,
      signed: expect.objectContaining({ number: 17n }) as unknown,
    });
  });

  it('R-089d R-086b an event and an append-only row tell what left, where to, by whom', async () => {
    await world.cut();
    await world.db.setClock(NOW);
    const done = await world.retire();
    const [row] = await readRetirements(world.db.pool('app'));
    expect(row).toMatchObject({
      first: 1n,
      last: 12n,
      archive: 'onceover-audit-1-12.jsonl',
      retiredBy: testContext.actor.id,
      eventNumber: 14n,
      sha256: done.outcome === 'done' ? done.sha256 : '',
    });
    const { rows } = await world.db
      .pool('app')
      .query<{ body: string }>(
        `select body from review.audit_events where event = 'audit.retired' and outcome = 'done'`,
      );
    expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({
      first: '1',
      last: '12',
      archive: row?.archive,
      sha256: row?.sha256,
      hash: row?.hash,
    });
    const owner = world.db.pool('owner');
    for (const table of ['audit_retirements', 'audit_cuts']) {
      await expect(owner.query(`delete from review.${table}`)).rejects.toMatchObject({ code: '42501' });
      await expect(
        world.db.pool('superuser').query(`update review.${table} set last_number = 1`),
      ).rejects.toMatchObject({ code: 'OA002' });
      await expect(
        world.db.pool('app').query(`insert into review.${table} (last_number) values (1)`),
      ).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('R-089d goes on from one range to the next; whatever archives are given are verified with the rest', async () => {
    await world.cut('2025-02-05T08:00:00Z');
    await world.append(4);
    await world.cut();
    await world.db.setClock(NOW);
    expect(await world.retire(12n)).toMatchObject({ outcome: 'done', first: 1n, last: 12n });
    await world.append(2);
    await world.signUp();
    expect(await world.retire()).toMatchObject({ outcome: 'done', first: 13n, last: 17n });
    await world.signUp();
    expect(await world.retire()).toEqual({ outcome: 'nothing-due' });
    expect(await world.verify()).toMatchObject({ kind: 'verified', after: 17n });
    const both = await archivesOf(world);
    expect(await world.verify(both)).toMatchObject({ kind: 'verified', upTo: 22n });
    expect(await both.judge(await readRetirements(world.db.pool('app')), null)).toBeNull();
    const [, second] = both.archives;
    expect(second?.first).toBe(13n);
    expect((await verifyFile({ export: second?.file ?? '' })).text).toContain('numbers 13 to 17');
  });

  it('R-089d a text that was erased stays erased, and nothing is dropped when one goes while the archive is written', async () => {
    await world.append(1, { body: { text: 'ERASED words' } });
    await world.cut();
    await world.db.pool('superuser').query(`alter table review.audit_texts disable trigger all;
      delete from review.audit_texts where event_number = 13;
      alter table review.audit_texts enable always trigger audit_texts_are_only_added`);
    await world.append(1, { event: 'audit.text_erased', body: { reference: 'DSR-1', texts: ['13/text'] } });
    await world.signUp();
    await world.db.setClock(NOW);
    const owner = world.db.pool('owner');
    await expect(
      owner.query(`begin; select set_config('onceover.actor_kind', 'system', true), set_config('onceover.actor_id', 'system:test', true),
        set_config('onceover.request_id', 'r', true); select review.retire_audit(13, 'a.jsonl', sha256(''), 3)`),
    ).rejects.toMatchObject({ code: 'OA006' });
    await owner.query('rollback');
    const done = await world.retire();
    if (done.outcome !== 'done') throw new Error(JSON.stringify(done));
    expect(readFileSync(done.file, 'utf8')).not.toContain('ERASED words');
    expect((await verifyFile({ export: done.file })).text).toContain(
      '1 texts are not in the file, and no event of it tells',
    );
    expect(await world.verify(await archivesOf(world))).toMatchObject({ kind: 'verified' });
  });
});

describe('nothing is retired', () => {
  const refused = (code: string) => ({ outcome: 'refused', code, holders: [] });
  const lastRefusal = async () =>
    (
      await world.db
        .pool('app')
        .query(`select event, outcome, refusal_code from review.audit_events order by number desc limit 1`)
    ).rows[0] as unknown;

  it('R-089e that is younger than the stored time, which the owner alone changes, on record', async () => {
    await world.cut('2025-01-20T08:00:00Z');
    expect(await world.retire()).toEqual({ outcome: 'nothing-due' });
    expect(await world.retire(12n)).toEqual(refused('TOO_YOUNG'));
    expect(await lastRefusal()).toEqual({
      event: 'audit.retired',
      outcome: 'refused',
      refusal_code: 'TOO_YOUNG',
    });
    await world.db.setClock('2026-02-09T07:59:59Z');
    expect(await world.retire(12n)).toEqual(refused('TOO_YOUNG'));
    await keepAudit(world.db.pool('owner'), testContext, 399);
    await expect(keepAudit(world.db.pool('owner'), testContext, 29)).rejects.toMatchObject({
      constraint: 'audit_retention_days_known',
    });
    for (const role of ['app', 'worker', 'signer'] as const)
      for (const act of [
        'select review.keep_audit(30)',
        'select review.cut_audit(0)',
        `select review.retire_audit(12, 'a', '', 0)`,
      ])
        await expect(world.db.pool(role).query(act)).rejects.toMatchObject({ code: '42501' });
    await world.signUp();
    expect(await world.retire(12n)).toMatchObject({ outcome: 'done' });
    const { rows } = await world.db
      .pool('app')
      .query(`select body from review.audit_events where event = 'audit.retention_changed'`);
    expect(rows).toEqual([{ body: '{"after": {"keepDays": 399}, "before": {"keepDays": 400}}' }]);
  });

  it('R-089e that does not end where a partition ends, or was not signed exactly there', async () => {
    await world.db.pool('owner').query('select review.cut_audit(0)');
    await world.db.setClock('2026-11-10T08:00:00Z');
    await world.append(1);
    await world.db.setClock(NOW);
    expect(await world.retire(7n)).toEqual(refused('NOT_CUT'));
    expect(await world.retire(12n)).toEqual(refused('NOT_SIGNED'));
    expect(await world.retire()).toEqual({ outcome: 'nothing-due' });
    expect(await world.numbers()).toMatchObject({ first: '1' });
    expect(existsSync(path.join(world.folder, 'onceover-audit-1-12.jsonl'))).toBe(false);
  });

  it('R-089e AU-05 when the signature stands in the database alone, and not in the published file', async () => {
    await world.db.pool('owner').query('select review.cut_audit(0)');
    await world.append(1);
    await world.db.setClock(NOW);
    await world.db.pool('superuser').query(`insert into review.audit_checkpoints
      select 1, 'checkpoint', 12, ledger.clock(), 'k', json_build_object('hash', encode(hash, 'hex')) from review.audit_events where number = 12`);
    expect(await world.signer.sign()).toMatchObject({ kind: 'alarm' });
    writeFileSync(world.signer.signer.files.checkpoints, '');
    expect(await world.retire()).toMatchObject({
      outcome: 'unproven',
      text: expect.stringContaining('First bad number: 12') as unknown,
    });
    expect(await world.numbers()).toMatchObject({ first: '1' });
  });

  it('R-089e when anything of the log does not verify against the published checkpoints', async () => {
    await world.cut();
    await world.db.setClock(NOW);
    await world.db.pool('superuser').query(`alter table review.audit_events disable trigger all;
      update review.audit_events set actor_name = 'X' where number = 13; alter table review.audit_events enable trigger all`);
    expect(await world.retire()).toMatchObject({
      outcome: 'unproven',
      text: expect.stringContaining('First bad number: 13') as unknown,
    });
    expect(await world.numbers()).toMatchObject({ first: '1' });
  });

  it.each(AUDIT_POINTS)('AU-02 R-089d when its event cannot be written: %s', async (point) => {
    await world.cut();
    await world.db.setClock(NOW);
    const before = await partitions();
    const mend = await failAuditAt(world.db, point);
    await expect(world.retire()).rejects.toMatchObject({ code: FAILPOINT });
    await mend();
    expect(await partitions()).toEqual(before);
    expect(await readRetirements(world.db.pool('app'))).toEqual([]);
    expect(await world.verify()).toMatchObject({ kind: 'verified' });
    expect(await world.retire()).toMatchObject({ outcome: 'done' });
    expect(readdirSync(world.folder)).toEqual(['onceover-audit-1-12.jsonl']);
  });
});

describe('the partitions', () => {
  it('R-087e R-087f are each guarded like the table, against their owner and the superuser', async () => {
    await world.cut();
    expect(await partitions()).toEqual([
      'audit_events_1',
      'audit_events_13',
      'audit_texts_1',
      'audit_texts_13',
    ]);
    for (const name of await partitions()) {
      const key = name.startsWith('audit_texts') ? 'event_number' : 'number';
      for (const act of [
        `update review.${name} set ${key} = ${key}`,
        `delete from review.${name}`,
        `truncate review.${name}`,
      ]) {
        await expect(world.db.pool('owner').query(act), act).rejects.toMatchObject({ code: '42501' });
        const client = await world.db.pool('superuser').connect();
        await client.query('set session_replication_role = replica');
        await expect(client.query(act), act).rejects.toMatchObject({ code: 'OA002' });
        client.release(true);
      }
      for (const role of ['app', 'worker', 'signer'] as const)
        await expect(
          world.db.pool(role).query(`select from review.${name} limit 1`),
          name,
        ).rejects.toMatchObject({ code: '42501' });
    }
  });
});
