import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, archivesOf, retirementFixture, type RetirementFixture } from '@/lib/testing/retirement-fixture';
import { chainStatus } from '../chain-status';
import { readRetirements } from '../retirements';
import { rotateKey } from '../signer/change-keys';
import { verifyChain } from '../verify-chain';
import { makeSigningKey, signingKeyOf } from '../signer/signing-key';

let world: RetirementFixture;
beforeEach(async () => {
  world = await retirementFixture();
  await world.append(10);
  await world.append(2, { body: { text: 'long ago' } });
  await world.cut();
  await world.db.setClock(NOW);
});
afterEach(() => world.close());

const TABLES = ['audit_events', 'audit_head', 'audit_retirements'];
const tamper = (sql: string) =>
  world.db.pool('superuser').query(
    `${TABLES.map((table) => `alter table review.${table} disable trigger all;`).join(' ')} ${sql};
     ${TABLES.map((table) => `alter table review.${table} enable trigger all;`).join(' ')}`,
  );
/** An anchor that nobody made by retiring. */
const invented = (first: number, last: number, event: number) =>
  `insert into review.audit_retirements
     select ${last}, ${first}, hash, (select hash from review.audit_events where number = 1), 'invented-${last}.jsonl', sha256(''),
       ledger.clock(), 'system:audit-retire', ${event} from review.audit_events where number = ${last}`;
const fault = (number: bigint, reason: string) => ({ kind: 'broken', fault: { number, reason } });

describe('the anchor on which the chain stands', () => {
  it.each([
    [
      'its hash changed',
      `update review.audit_retirements set hash = sha256('x')`,
      12n,
      'ANCHOR',
      'BROKEN',
      12n,
    ],
    [
      'the archive’s digest changed',
      `update review.audit_retirements set sha256 = sha256('x')`,
      12n,
      'ANCHOR',
      'BROKEN',
      12n,
    ],
    [
      'the archive’s name changed',
      `update review.audit_retirements set archive = 'other.jsonl'`,
      12n,
      'ANCHOR',
      'BROKEN',
      12n,
    ],
    [
      // Nothing that is signed of a run says which log it left: only the event that tells of it does.
      'its log’s id changed',
      `update review.audit_retirements set log_id = sha256('x')`,
      12n,
      'ANCHOR',
      'BROKEN',
      12n,
    ],
    ['the row removed', 'delete from review.audit_retirements', 1n, 'MISSING', 'OTHER_LOG', 1n],
    [
      'the first event after it removed',
      'delete from review.audit_events where number = 13',
      13n,
      'MISSING',
      'REWRITTEN',
      13n,
    ],
    [
      'it moved on over a signed event that was removed',
      `update review.audit_retirements set last_number = 13, hash = (select hash from review.audit_events where number = 13);
       delete from review.audit_events where number = 13`,
      13n,
      'ANCHOR',
      'BROKEN',
      13n,
    ],
    [
      'another invented over everything that was removed',
      `${invented(13, 14, 15).replace('(select hash from review.audit_events where number = 1)', `sha256('')`)};
       delete from review.audit_events where number <= 14`,
      14n,
      'ANCHOR',
      'BROKEN',
      14n,
    ],
  ] as const)('R-087r AU-03 %s: found and located by both, and the signer signs nothing', async (...row) => {
    const [, sql, number, reason, alarm, alarmNumber] = row;
    expect(await world.retire()).toMatchObject({ outcome: 'done', last: 12n });
    await world.append(1);
    await world.signUp();
    await tamper(sql);
    expect(await world.verify()).toEqual(fault(number, reason));
    await world.append(1);
    expect(await world.signer.sign()).toEqual({
      kind: 'alarm',
      alarm: { code: alarm, number: alarmNumber },
    });
  });

  it.each([
    ['whose end was never signed', 7, 'where number <= 7'],
    ['that no event tells of', 12, 'where number <= 12'],
  ])('R-087r AU-05 one invented for a range %s is found', async (_, last, removed) => {
    await tamper(`${invented(1, last, 14)}; delete from review.audit_events ${removed}`);
    expect(await world.verify()).toEqual(fault(BigInt(last), 'ANCHOR'));
    expect(await world.signer.sign()).toMatchObject({ kind: 'alarm', alarm: { code: 'BROKEN' } });
  });

  it('R-087r the page begins there as well, also when events leave while it is at it', async () => {
    const app = world.db.pool('app');
    let retired = false;
    const leaving = {
      query: async (text: string, values?: readonly unknown[]) => {
        // Once the head is known, and before any event is read.
        if (!retired && text.includes('audit_events.number >')) {
          retired = true;
          expect(await world.retire()).toMatchObject({ outcome: 'done' });
        }
        return app.query(text, values === undefined ? undefined : [...values]) as never;
      },
    };
    expect((await chainStatus(leaving)).verification).toMatchObject({
      kind: 'verified',
      after: 12n,
      upTo: 14n,
    });
    expect(retired).toBe(true);
  });
});

describe('the signer', () => {
  it('R-087t signs where a partition ends exactly, before the head, and before it changes its key', async () => {
    await world.append(3);
    await world.db.pool('owner').query('select review.cut_audit(0)');
    await world.append(2);
    const pass = await rotateKey(world.signer.signer, signingKeyOf(makeSigningKey()));
    expect(pass).toMatchObject({ kind: 'signed', more: false });
    expect(world.signer.records().map(({ type, number }) => `${type} ${number}`)).toEqual([
      'key 12',
      'checkpoint 13',
      'checkpoint 16',
      'checkpoint 18',
      'rotation 19',
    ]);
  });

  it('R-087t goes on when everything that it had signed has left', async () => {
    await world.db.setClock('2028-06-01T08:00:00Z');
    expect(world.signer.records().at(-1)?.number).toBe('13');
    expect(await world.retire()).toMatchObject({ outcome: 'done', first: 1n, last: 13n });
    expect(await world.signer.sign()).toMatchObject({ kind: 'signed' });
    expect(await world.verify()).toMatchObject({ kind: 'verified', after: 13n, signed: { number: 14n } });
  });
});

describe('archives', () => {
  let file: string;
  let text: string;
  beforeEach(async () => {
    expect(await world.retire()).toMatchObject({ outcome: 'done' });
    file = path.join(world.folder, 'onceover-audit-1-12.jsonl');
    text = readFileSync(file, 'utf8');
  });
  const judged = async () =>
    (await archivesOf(world)).judge(await readRetirements(world.db.pool('app')), null);

  it.each([
    ['an event changed', (old: string) => old.replace('{\\"n\\": 9}', '{\\"n\\": 8}'), 9n, 'CHANGED'],
    [
      'a text changed',
      (old: string) => old.replace('"value":"long ago"', '"value":"long  ago"'),
      11n,
      'TEXT',
    ],
    [
      'an event removed',
      (old: string) => old.replace(/.*"number":"4".*\n/, '').replace('"events":12', '"events":11'),
      4n,
      'MISSING',
    ],
    [
      'an event said twice',
      (old: string) => old.replace(/(.*"number":"4".*\n)/, '$1$1').replace('"events":12', '"events":13'),
      4n,
      'UNEXPECTED',
    ],
  ])('R-087s AU-03 with %s: found and located, by both', async (_, change, number, reason) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    expect(await world.verify(await archivesOf(world))).toEqual(fault(number, reason));
    expect((await judged())?.found.kind).toMatch(/broken|unreadable/);
  });

  it('R-087s that are not the very files are told apart from those that are', async () => {
    expect(await judged()).toBeNull();
    writeFileSync(file, text.replace('that have left the audit', 'that  have left the audit'));
    expect(await world.verify(await archivesOf(world))).toMatchObject({ kind: 'verified' });
    expect(await judged()).toMatchObject({ found: { fault: { number: 1n, reason: 'ARCHIVE' } } });
    writeFileSync(file, text.trimEnd().split('\n').slice(0, -1).join('\n') + '\n');
    expect(await judged()).toMatchObject({ found: { kind: 'unreadable', reason: 'CUT' } });
    writeFileSync(file, text.replace(/("type":"key".*"signature":")..../, '$1AAAA'));
    expect(await judged()).toMatchObject({ found: { kind: 'distrusted', reason: 'SIGNATURE' } });
    rmSync(file);
    await expect(archivesOf(world)).rejects.toThrow('holds no archive');
  });

  it('R-087s given in part begin where the first of them begins; a gap between them is found', async () => {
    for (let n = 0; n < 2; n += 1) {
      await world.append(3);
      await world.db.pool('owner').query('select review.cut_audit(0)');
      await world.append(1);
      await world.signUp();
    }
    await world.db.setClock('2028-06-01T08:00:00Z');
    const ends = [17n, 21n];
    for (const last of ends) expect(await world.retire(last)).toMatchObject({ outcome: 'done', last });
    await world.signUp();
    const first = path.join(path.dirname(world.folder), `${path.basename(world.folder)}-first.jsonl`);
    renameSync(file, first);
    expect(existsSync(file)).toBe(false);
    const found = await world.verify();
    expect(found).toMatchObject({ kind: 'verified', after: 21n });
    const later = await archivesOf(world);
    expect(later.archives.map((each) => each.first)).toEqual([13n, 18n]);
    expect(await verifyChain(world.db.pool('signer'), { archives: later })).toMatchObject({
      kind: 'verified',
      after: 12n,
    });
    renameSync(first, file);
    expect(await world.verify(await archivesOf(world))).toMatchObject({ kind: 'verified' });
    rmSync(later.archives[0]?.file ?? '');
    expect(await world.verify(await archivesOf(world))).toEqual(fault(13n, 'MISSING'));
  });
});
