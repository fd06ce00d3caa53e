import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pool } from '@/lib/db/pool';
import { transaction } from '@/lib/db/transaction';
import type { TestDatabase } from '@/lib/testing/database';
import { PASSWORD, testContext } from '@/lib/testing/people';
import {
  changeAsOwner,
  makeHana,
  origin,
  secretOf,
  sessionEvents,
  signInDatabase,
} from '@/lib/testing/sign-in-fixture';
import { createPerson } from './create-person';
import { actorOfSecret } from './session';
import { signIn } from './sign-in';

let db: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  db = await signInDatabase();
  pool = db.pool('app');
});
afterEach(() => db.drop());

const person = (email: string, password?: string | null) => makeHana(db, email, password);
const events = () => sessionEvents(db);
const change = (sql: string) => changeAsOwner(db, sql);

describe('signing in', () => {
  it('R-086d AN-02 opens a session and keeps each attempt, with no typed text in the audit', async () => {
    const id = await person('hana@demo.local');
    expect(await signIn(pool, { email: 'hana@demo.local', password: 'my secret typo' }, origin())).toEqual({
      kind: 'refused',
    });
    expect(await signIn(pool, { email: 'typed-password-here', password: 'x' }, origin())).toEqual({
      kind: 'refused',
    });
    const secret = secretOf(await signIn(pool, { email: 'Hana@Demo.local', password: PASSWORD }, origin()));
    expect(await actorOfSecret(pool, secret)).toMatchObject({
      personId: id,
      displayName: 'Hana',
      roles: ['OPERATOR'],
      authorities: ['money'],
      tenantIds: ['tenant-north'],
      locale: null,
    });
    const kept = await events();
    const opened = await db
      .pool('owner')
      .query<{ id: string }>('select session_id as id from review.sessions where person_id = $1', [id]);
    const method = { method: 'password', sessionId: opened.rows[0]?.id };
    expect(method.sessionId).toBeDefined();
    expect(kept).toMatchObject([
      {
        event: 'session.sign_in_failed',
        outcome: 'refused',
        code: 'BAD_CREDENTIALS',
        actor: 'system:login',
        source: '203.0.113.1',
        body: { personId: id },
      },
      { event: 'session.sign_in_failed', code: 'BAD_CREDENTIALS' },
      { event: 'session.signed_in', outcome: 'done', actor: id, body: method },
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/typed-password-here|secret typo|demo\.local/);
  });

  it('AN-14 compares the password exactly, to its last byte', async () => {
    const long = `${'0123456789'.repeat(8)}-🗝️-각`;
    await person('one@demo.local', long);
    await person('two@demo.local', ' blanks around ');
    const tries: [string, string][] = [
      ['one@demo.local', long.slice(0, 72)],
      ['one@demo.local', `${long} `],
      ['one@demo.local', long.normalize('NFD')],
      ['two@demo.local', 'blanks around'],
      ['two@demo.local', ' Blanks around '],
    ];
    for (const [email, password] of tries)
      expect((await signIn(pool, { email, password }, origin())).kind).toBe('refused');
    expect((await signIn(pool, { email: 'one@demo.local', password: long }, origin())).kind).toBe(
      'signed-in',
    );
    expect(
      (await signIn(pool, { email: 'two@demo.local', password: ' blanks around ' }, origin())).kind,
    ).toBe('signed-in');
    const huge = 'x'.repeat(1_000_000);
    expect(
      (await signIn(pool, { email: 'two@demo.local', password: huge }, origin('203.0.113.9'))).kind,
    ).toBe('refused');
  });

  it.each<[string, unknown]>([
    ['an object for the password', { email: 'hana@demo.local', password: { not: '' } }],
    ['an object for the e-mail', { email: { contains: '@' }, password: PASSWORD }],
    ['arrays', { email: ['hana@demo.local'], password: [PASSWORD] }],
    ['numbers', { email: 1, password: 2 }],
    ['booleans', { email: true, password: true }],
    ['nulls', { email: null, password: null }],
    ['nothing', undefined],
    ['a NUL', { email: 'hana@demo.local\u0000', password: `${PASSWORD}\u0000` }],
    ['a lone surrogate', { email: 'hana@demo.local', password: '\ud800' }],
    ['empty texts', { email: '', password: '' }],
  ])('AN-03 answers %s like any wrong password', async (_, typed) => {
    await person('hana@demo.local');
    expect(await signIn(pool, typed, origin())).toEqual({ kind: 'refused' });
  });

  it('AN-19 finds one person behind every spelling, and nobody behind a look-alike', async () => {
    await person('admin@demo.local');
    for (const email of ['ADMIN@demo.local', 'ａdmin＠demo.local', 'admin@demo.local.']) {
      expect((await signIn(pool, { email, password: PASSWORD }, origin())).kind).toBe('signed-in');
    }
    for (const email of ['аdmin@demo.local', 'ad\u200bmin@demo.local']) {
      expect((await signIn(pool, { email, password: PASSWORD }, origin())).kind).toBe('refused');
    }
    const twin = {
      email: 'ＡDMIN@demo.local',
      displayName: 'x',
      password: null,
      roles: [],
      authorities: [],
      tenantIds: [],
      locale: null,
    };
    expect(await createPerson(db.pool('owner'), testContext, twin)).toEqual({
      kind: 'refused',
      code: 'EMAIL_TAKEN',
    });
    expect(await createPerson(db.pool('owner'), testContext, { ...twin, email: 'аdmin@demo.local' })).toEqual(
      {
        kind: 'refused',
        code: 'EMAIL_INVALID',
      },
    );
    const bypass = change(
      `insert into review.people (email, email_canonical, display_name) values ('а@b', 'а@b', 'x')`,
    );
    await expect(bypass).rejects.toMatchObject({ constraint: 'people_email_canonical_form' });
  });

  it('AN-15 stores argon2id at the floor with a salt each, and rehashes a cheaper one at the next sign-in', async () => {
    const [one, two] = [await person('one@demo.local'), await person('two@demo.local')];
    const hashes = async () =>
      (
        await pool.query(
          `select password_hash as hash from review.people where person_id = any($1) order by person_id`,
          [[one, two]],
        )
      ).rows.map((row) => row.hash as string);
    const [first, second] = await hashes();
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    const { hash } = await import('@node-rs/argon2');
    const cheap = await hash(PASSWORD, { algorithm: 2, memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await transaction(db.pool('owner'), testContext, (tx) =>
      tx.query('update review.people set password_hash = $1 where person_id = $2', [cheap, one]),
    );
    expect((await signIn(pool, { email: 'one@demo.local', password: PASSWORD }, origin())).kind).toBe(
      'signed-in',
    );
    expect((await hashes())[0]).toMatch(/m=19456,t=2,p=1/);
    await expect(change(`update review.people set password_hash = 'plain'`)).rejects.toMatchObject({
      code: '23514',
    });
  });
});

describe('slowing down', () => {
  const wrong = (email: string, source: string) => signIn(pool, { email, password: 'wrong' }, origin(source));

  it('AN-02 delays one account from one source, lets it in after the delay, and leaves the others alone', async () => {
    await person('hana@demo.local');
    await person('other@demo.local');
    await db.setClock('2026-11-29T10:00:00Z');
    for (let n = 0; n < 5; n += 1)
      expect((await wrong('hana@demo.local', '203.0.113.1')).kind).toBe('refused');
    expect(await wrong('hana@demo.local', '203.0.113.1')).toEqual({
      kind: 'throttled',
      retryAfterSeconds: 2,
    });
    const right = { email: 'hana@demo.local', password: PASSWORD };
    expect((await signIn(pool, right, origin('203.0.113.1'))).kind).toBe('throttled');
    expect(
      (await signIn(pool, { email: 'other@demo.local', password: PASSWORD }, origin('203.0.113.1'))).kind,
    ).toBe('signed-in');
    expect((await signIn(pool, right, origin('203.0.113.2'))).kind).toBe('signed-in');
    await db.advanceClock('2 seconds');
    expect((await signIn(pool, right, origin('203.0.113.1'))).kind).toBe('signed-in');
    expect((await events()).filter((event) => event.code === 'THROTTLED')).toHaveLength(2);
  });

  it('AN-02 twenty wrong passwords meet a growing delay, each is kept, and the right one gets in after the last', async () => {
    const personId = await person('hana@demo.local');
    await person('other@demo.local');
    await db.setClock('2026-11-29T10:00:00Z');
    const delays: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const answer = await wrong('hana@demo.local', '203.0.113.1');
      if (answer.kind !== 'throttled') continue;
      delays.push(answer.retryAfterSeconds);
      await db.advanceClock(`${answer.retryAfterSeconds} seconds`);
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    const kept = await events();
    expect(kept.map((event) => event.event)).toEqual(
      Array.from({ length: 20 }, () => 'session.sign_in_failed'),
    );
    expect(kept.filter((event) => event.body.personId === personId)).toHaveLength(12);
    const typed = (email: string) => ({ email, password: PASSWORD });
    expect((await signIn(pool, typed('other@demo.local'), origin('203.0.113.1'))).kind).toBe('signed-in');
    expect((await signIn(pool, typed('hana@demo.local'), origin('203.0.113.1'))).kind).toBe('signed-in');
  });

  it('AN-02 twenty within a minute slow that account at that source alone, lock nobody out, and are forgotten', async () => {
    await person('hana@demo.local');
    await person('other@demo.local');
    await db.setClock('2026-11-29T10:00:00Z');
    for (let n = 0; n < 20; n += 1) {
      await wrong('hana@demo.local', '203.0.113.1');
      await db.advanceClock('2 seconds');
    }
    const right = { email: 'hana@demo.local', password: PASSWORD };
    const other = { email: 'other@demo.local', password: PASSWORD };
    const waits = await signIn(pool, right, origin('203.0.113.1'));
    expect(waits).toEqual({ kind: 'throttled', retryAfterSeconds: expect.any(Number) });
    expect((await signIn(pool, right, origin('203.0.113.2'))).kind).toBe('signed-in');
    expect((await signIn(pool, other, origin('203.0.113.1'))).kind).toBe('signed-in');
    if (waits.kind === 'throttled') await db.advanceClock(`${waits.retryAfterSeconds} seconds`);
    expect((await signIn(pool, right, origin('203.0.113.1'))).kind).toBe('signed-in');
    const kept = await events();
    expect(kept.filter(({ event }) => event === 'session.sign_in_failed')).toHaveLength(21);
    expect(kept.filter(({ event }) => event === 'session.signed_in')).toHaveLength(3);
    await db.advanceClock('16 minutes');
    for (let n = 0; n < 5; n += 1)
      expect((await wrong('hana@demo.local', '203.0.113.1')).kind).toBe('refused');
  });

  it('AN-02 a spray over many accounts slows its source, and nobody elsewhere', async () => {
    await person('hana@demo.local');
    await db.setClock('2026-11-29T10:00:00Z');
    for (let n = 0; n < 40; n += 1)
      expect((await wrong(`name${n}@demo.local`, '203.0.113.1')).kind).toBe('refused');
    expect(await wrong('one-more@demo.local', '203.0.113.1')).toEqual({
      kind: 'throttled',
      retryAfterSeconds: 2,
    });
    const right = { email: 'hana@demo.local', password: PASSWORD };
    expect((await signIn(pool, right, origin('203.0.113.2'))).kind).toBe('signed-in');
    await db.advanceClock('2 seconds');
    expect((await signIn(pool, right, origin('203.0.113.1'))).kind).toBe('signed-in');
  });

  it('AN-02 treats an unknown account no differently', async () => {
    await db.setClock('2026-11-29T10:00:00Z');
    for (let n = 0; n < 5; n += 1) await wrong('nobody@demo.local', '203.0.113.1');
    expect(await wrong('nobody@demo.local', '203.0.113.1')).toEqual({
      kind: 'throttled',
      retryAfterSeconds: 2,
    });
  });

  it('AN-02 a stranger’s storm does not keep the owner out of a source they use', async () => {
    await person('hana@demo.local');
    const right = { email: 'hana@demo.local', password: PASSWORD };
    await db.setClock('2026-11-29T10:00:00Z');
    await signIn(pool, right, origin('198.51.100.1'));
    await db.advanceClock('1 hour');
    for (let n = 0; n < 30; n += 1) await wrong('hana@demo.local', `203.0.113.${n}`);
    expect((await signIn(pool, right, origin('198.51.100.9'))).kind).toBe('throttled');
    expect((await signIn(pool, right, origin('198.51.100.1'))).kind).toBe('signed-in');
    await db.advanceClock('16 minutes');
    expect((await wrong('hana@demo.local', '203.0.113.1')).kind).toBe('refused');
  });

  it('AN-02 counts guesses that come at the same moment', async () => {
    await person('hana@demo.local');
    await db.setClock('2026-11-29T10:00:00Z');
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => wrong('hana@demo.local', '203.0.113.1')),
    );
    expect(answers.filter((answer) => answer.kind === 'refused')).toHaveLength(5);
    expect(answers.filter((answer) => answer.kind === 'throttled')).toHaveLength(10);
  });
});
