import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendAudit } from '@/lib/db/append-audit';
import { makePool } from '@/lib/db/pool';
import { transaction, type TransactionContext, type TransactionOptions } from '@/lib/db/transaction';
import { testDatabase, type TestDatabase } from '@/lib/testing/database';
import { appendEvents, REHASHED, signerFixture, tamper as tamperWith } from '@/lib/testing/signer-fixture';
import { readHead, readRecords } from './audit-records';
import { publishKeys } from './signer/change-keys';
import { ChainMemory, verifyChain } from './verify-chain';

const context: TransactionContext = {
  actor: { kind: 'system', id: 'system:test' },
  requestId: 'r',
  sourceAddress: null,
};
const run = promisify(execFile);

async function command(url: string, ...more: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: url };
  const args = ['--import', 'tsx', '--conditions=react-server', 'lib/commands/audit-verify.ts', ...more];
  return run(process.execPath, args, { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

describe('a chain that somebody with every right has touched', () => {
  let db: TestDatabase;
  beforeEach(async () => {
    db = await testDatabase();
    for (let n = 1; n <= 12; n += 1) {
      await transaction(db.pool('owner'), context, (tx) =>
        appendAudit(tx, { event: 'sweep.ran_with_changes', outcome: 'done', body: { n } }),
      );
    }
    return () => db.drop();
  });

  const tamper = (sql: string) => tamperWith(db, sql);

  it('R-087g an untouched one is verified to its head', async () => {
    expect(await verifyChain(db.pool('signer'))).toEqual({ kind: 'verified', upTo: 12n });
    expect(await command(db.signerUrl)).toMatchObject({
      code: 0,
      output: expect.stringContaining('events 1 to 12 verified'),
    });
  });

  it.each<[string, string, bigint, string]>([
    ['changed content', `update review.audit_events set body = '{"n": 99}' where number = 5`, 5n, 'CHANGED'],
    [
      'a changed actor',
      `update review.audit_events set actor_id = 'system:other' where number = 1`,
      1n,
      'CHANGED',
    ],
    [
      'a time moved by a microsecond',
      `update review.audit_events set occurred_at = occurred_at + interval '1 microsecond' where number = 12`,
      12n,
      'CHANGED',
    ],
    [
      'an emptied absent field',
      `update review.audit_events set tenant_id = '' where number = 7`,
      7n,
      'CHANGED',
    ],
    ['a removed middle row', 'delete from review.audit_events where number = 6', 6n, 'MISSING'],
    ['a removed first row', 'delete from review.audit_events where number = 1', 1n, 'MISSING'],
    [
      'two rows that changed places',
      `update review.audit_events set number = case number when 4 then 1009 else 1004 end where number in (4, 9);
       update review.audit_events set number = number - 1000 where number > 1000`,
      4n,
      'CHANGED',
    ],
    ['a cut-off end', 'delete from review.audit_events where number > 9', 10n, 'MISSING'],
    ['everything removed', 'delete from review.audit_events', 1n, 'MISSING'],
    [
      'a head set back',
      'update review.audit_head set number = 9, hash = (select hash from review.audit_events where number = 9)',
      10n,
      'UNEXPECTED',
    ],
    ['a bent head', `update review.audit_head set hash = decode(repeat('ab', 32), 'hex')`, 12n, 'HEAD'],
    ['a removed head', 'delete from review.audit_head', 13n, 'HEAD'],
    [
      'a rewritten row with its own hash put right',
      `update review.audit_events set body = '{"n": 0}' where number = 3; update review.audit_events e set hash = review.audit_hash(e) where number = 3`,
      4n,
      'UNLINKED',
    ],
  ])('R-087g AU-03 %s', async (_, sql, number, reason) => {
    await tamper(sql);
    expect(await verifyChain(db.pool('signer'))).toEqual({ kind: 'broken', fault: { number, reason } });
  });

  it('R-087g the command names the first bad number and exits with 1', async () => {
    await tamper(`update review.audit_events set body = '{}' where number in (5, 8)`);
    expect(await command(db.signerUrl)).toMatchObject({
      code: 1,
      output: expect.stringContaining('First bad number: 5 '),
    });
  });

  it('R-087g the command exits with 2 when it cannot read, and says nothing about the chain', async () => {
    expect((await command('postgresql://nobody:x@127.0.0.1:1/none')).code).toBe(2);
  });

  it('R-087g R-087m AU-05 a log written anew passes, which the command says proves little; against the checkpoints it fails', async () => {
    const signer = signerFixture(db);
    await signer.sign();
    const file = ['--checkpoints', signer.signer.files.checkpoints];
    expect(await command(db.signerUrl, ...file)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Signed up to number 12'),
    });
    await tamper(`update review.audit_events set body = '{"n": 0}' where number = 3; ${REHASHED}`);
    const rewritten = {
      code: 1,
      output: expect.stringContaining('First bad number: 1 (from here to the next checkpoint') as unknown,
    };
    expect(await command(db.signerUrl)).toMatchObject(rewritten);
    // Whoever owns the rows takes them away as well; the signer's file is where it was.
    await db
      .pool('superuser')
      .query(
        `alter table review.audit_checkpoints disable trigger all; delete from review.audit_checkpoints`,
      );
    expect(await command(db.signerUrl)).toMatchObject({
      code: 0,
      output: expect.stringContaining('no outside checkpoint'),
    });
    expect(await command(db.signerUrl, ...file)).toMatchObject(rewritten);
    process.env['DATA_DIR'] = signer.folder;
    expect(await command(db.signerUrl)).toMatchObject(rewritten);
    delete process.env['DATA_DIR'];
    signer.remove();
  });

  it('R-087z AU-06 the command looks by itself at the kept checkpoints, at the published file and at the signer’s alarm', async () => {
    const signer = signerFixture(db);
    process.env['DATA_DIR'] = signer.folder;
    await signer.sign();
    await appendEvents(db, 2);
    await signer.sign();
    expect(await command(db.signerUrl)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Signed up to number 14') as unknown,
    });
    // Tail, head and the rows that speak of them: what is left of the rows agrees.
    await tamper(`delete from review.audit_events where number > 12; ${REHASHED}`);
    await db
      .pool('superuser')
      .query(
        `alter table review.audit_checkpoints disable trigger all; delete from review.audit_checkpoints where number > 12`,
      );
    expect(await command(db.signerUrl)).toMatchObject({
      code: 1,
      output: expect.stringContaining('First bad number: 13 (there is no event') as unknown,
    });
    expect(await signer.sign()).toMatchObject({ kind: 'alarm' });
    delete process.env['DATA_DIR'];
    expect(await command(db.signerUrl)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /events 1 to 12 verified[^]*The signer refuses to sign since .*: TRUNCATED, first bad number 13/,
      ) as unknown,
    });
    signer.remove();
  });

  it('R-087m a log cut off together with its head is found by the checkpoints, and its keys are the given ones alone', async () => {
    const signer = signerFixture(db);
    await signer.sign();
    await publishKeys(signer.signer.files);
    const file = ['--checkpoints', signer.signer.files.checkpoints];
    const keys = ['--keys', signer.signer.files.publicKeys];
    await appendEvents(db, 2);
    expect(await command(db.signerUrl, ...file, ...keys)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Signed up to number 12 at .*; 2 events since/),
    });
    const other = signerFixture(db);
    writeFileSync(signer.signer.files.publicKeys, JSON.stringify([{ ...other.signer.key, revokedAt: null }]));
    expect(await command(db.signerUrl, ...file, ...keys)).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1 on: nothing vouches for its key'),
    });
    await tamper(`delete from review.audit_events where number > 9; ${REHASHED}`);
    expect((await command(db.signerUrl)).code).toBe(1);
    expect(await command(db.signerUrl, ...file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('First bad number: 10 (there is no event'),
    });
    signer.remove();
    other.remove();
  });

  it('stops at its time and goes on from there', async () => {
    const first = await verifyChain(db.pool('signer'), { budgetMs: -1 });
    expect(first).toMatchObject({ kind: 'partial', head: 12n });
    const [seventh] = await readRecords(db.pool('signer'), 6n, 1);
    const memory = new ChainMemory();
    memory.reached = { number: 7n, hash: seventh?.hash ?? '' };
    await tamper(`update review.audit_events set body = '{}' where number = 3`);
    expect(await verifyChain(db.pool('signer'), { memory })).toEqual({ kind: 'verified', upTo: 12n });
  });
});

describe('many writers', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'AU-07 R-087h 8 writers with rollbacks in between at %s leave dense numbers and a clean chain',
    async (isolation) => {
      const appends = 200;
      const options: TransactionOptions = { isolation, attempts: 1_000 };
      const pool = makePool({ connectionString: db.ownerUrl, name: 'writers', max: 8 });
      const before = (await readHead(pool)).last;
      const numbers: bigint[] = [];
      const writer = async (name: number) => {
        for (let n = 0; n < appends; n += 1) {
          await transaction(
            pool,
            context,
            async (tx) => {
              const number = await appendAudit(tx, {
                event: 'sweep.ran_with_changes',
                outcome: 'done',
                body: { name, n },
              });
              if ((name * 7 + n) % 5 === 0) throw new Rollback();
              return BigInt(number);
            },
            options,
          ).then(
            (number) => numbers.push(number),
            (error: unknown) => {
              if (!(error instanceof Rollback)) throw error;
            },
          );
        }
      };
      await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)));
      await pool.end();
      numbers.sort((one, other) => (one < other ? -1 : 1));
      expect(numbers).toEqual(numbers.map((_, index) => before + BigInt(index) + 1n));
      expect(await verifyChain(db.pool('signer'))).toEqual({
        kind: 'verified',
        upTo: before + BigInt(numbers.length),
      });
    },
    60_000,
  );

  it('R-087h a chain that grows while it is read verifies to the head of the start', async () => {
    const start = (await readHead(db.pool('app'))).last;
    const growing = Promise.all(
      Array.from({ length: 40 }, () =>
        transaction(db.pool('owner'), context, (tx) =>
          appendAudit(tx, { event: 'sweep.ran_with_changes', outcome: 'done' }),
        ),
      ),
    );
    const seen = await verifyChain(db.pool('signer'));
    expect(seen.kind === 'verified' && seen.upTo >= start).toBe(true);
    await growing;
    expect(await verifyChain(db.pool('signer'))).toEqual({ kind: 'verified', upTo: start + 40n });
  });
});

class Rollback extends Error {}
