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
import { ABSOLUTE_SECONDS, actorOfSecret, IDLE_SECONDS } from './session';
import { signIn } from './sign-in';
import { createSignInLink, signInByLink } from './sign-in-link';
import { signOut } from './sign-out';

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

describe('a session', () => {
  const open = async () =>
    secretOf(await signIn(pool, { email: 'hana@demo.local', password: PASSWORD }, origin()));
  beforeEach(() => person('hana@demo.local'));

  it('is stored by its digest only', async () => {
    const secret = await open();
    const { rows } = await db
      .pool('superuser')
      .query('select s::text as row, user_agent from review.sessions s');
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows[0]?.user_agent).toBe('test?? agent');
  });

  it('AN-06 is dead everywhere at once after signing out, with one event however often', async () => {
    const [secret, other] = [await open(), await open()];
    await Promise.all([signOut(pool, secret, origin()), signOut(pool, secret, origin())]);
    await signOut(pool, secret, origin());
    expect(await actorOfSecret(pool, secret)).toBeNull();
    expect(await actorOfSecret(pool, other)).not.toBeNull();
    expect((await events()).filter((event) => event.event === 'session.signed_out')).toHaveLength(1);
  });

  it('R-086n the event of its end names the same session as that of its beginning', async () => {
    const secrets = [await open(), await open()];
    await signOut(pool, secrets[1], origin());
    await signOut(pool, secrets[0], origin());
    const kept = await events();
    const named = (event: string) =>
      kept.filter((each) => each.event === event).map(({ body }) => body.sessionId);
    const { rows } = await db
      .pool('owner')
      .query<{ id: string }>('select session_id as id from review.sessions order by created_at');
    const ids = rows.map(({ id }) => id);
    expect(named('session.signed_in')).toEqual(ids);
    expect(named('session.signed_out')).toEqual(ids.toReversed());
  });

  it('AN-05 is new at each sign-in, and the one that the browser carried is dead', async () => {
    const planted = await open();
    const fresh = secretOf(
      await signIn(pool, { email: 'hana@demo.local', password: PASSWORD }, origin('203.0.113.1', planted)),
    );
    expect(fresh).not.toBe(planted);
    expect(await actorOfSecret(pool, planted)).toBeNull();
    expect(await actorOfSecret(pool, fresh)).not.toBeNull();
  });

  it('R-078a AN-07 has the rights of this moment: a demotion counts at the very next request', async () => {
    const secret = await open();
    await change(
      `update review.people set roles = '{MANAGER}', authorities = '{}', tenant_ids = '{tenant-south}'`,
    );
    expect(await actorOfSecret(pool, secret)).toMatchObject({
      roles: ['MANAGER'],
      authorities: [],
      tenantIds: ['tenant-south'],
    });
    await change(`update review.people set disabled_at = ledger.clock()`);
    expect(await actorOfSecret(pool, secret)).toBeNull();
    expect((await signIn(pool, { email: 'hana@demo.local', password: PASSWORD }, origin())).kind).toBe(
      'refused',
    );
  });

  it('AN-18 ends at its idle limit to the second, and use moves that limit', async () => {
    await db.setClock('2026-11-29T10:00:00Z');
    const secret = await open();
    await db.advanceClock(`${IDLE_SECONDS - 1} seconds`);
    expect(await actorOfSecret(pool, secret)).not.toBeNull();
    await db.advanceClock(`${IDLE_SECONDS - 1} seconds`);
    expect(await actorOfSecret(pool, secret)).not.toBeNull();
    await db.advanceClock(`${IDLE_SECONDS} seconds`);
    expect(await actorOfSecret(pool, secret)).toBeNull();
  });

  it('AN-18 ends at its absolute limit however busy it is kept', async () => {
    await db.setClock('2026-11-29T00:00:00Z');
    const secret = await open();
    for (let spent = 0; spent + 1_000 < ABSOLUTE_SECONDS; spent += 1_000) {
      await db.advanceClock('1000 seconds');
      expect(await actorOfSecret(pool, secret)).not.toBeNull();
    }
    await db.setClock('2026-11-29T11:59:59Z');
    expect(await actorOfSecret(pool, secret)).not.toBeNull();
    await db.setClock('2026-11-29T12:00:00Z');
    expect(await actorOfSecret(pool, secret)).toBeNull();
    await expect(
      pool.query(`update review.sessions set expires_at = expires_at + interval '1 hour'`),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('is not opened by anything but its secret', async () => {
    await open();
    for (const bad of [undefined, null, '', 'x', 42, {}, ['a'], "' or true --", 'A'.repeat(43)])
      expect(await actorOfSecret(pool, bad)).toBeNull();
  });
});

describe('a one-time link', () => {
  const link = async (personId: string) =>
    transaction(db.pool('owner'), testContext, (tx) => createSignInLink(tx, personId, 'system:test'));

  it('signs in once, whoever is faster, and is kept as a digest', async () => {
    const token = await link(await person('first@demo.local', null));
    const answers = await Promise.all([
      signInByLink(pool, token, origin()),
      signInByLink(pool, token, origin()),
    ]);
    expect(answers.map((answer) => answer.kind).sort()).toEqual(['refused', 'signed-in']);
    expect(await signInByLink(pool, token, origin())).toEqual({ kind: 'refused' });
    expect(
      JSON.stringify((await db.pool('superuser').query('select l::text from review.sign_in_links l')).rows),
    ).not.toContain(token);
    expect((await events()).map((event) => event.code ?? event.body.method)).toEqual(
      expect.arrayContaining(['link', 'BAD_LINK', 'BAD_LINK']),
    );
  });

  it('is worth nothing a day later, for a disabled person, or as a guess', async () => {
    const id = await person('first@demo.local', null);
    await db.setClock('2026-11-29T10:00:00Z');
    const token = await link(id);
    await db.setClock('2026-11-30T10:00:00Z');
    expect((await signInByLink(pool, token, origin())).kind).toBe('refused');
    await db.setClock('2026-11-30T09:59:59Z');
    await change(`update review.people set disabled_at = ledger.clock()`);
    expect((await signInByLink(pool, token, origin())).kind).toBe('refused');
    for (const bad of [undefined, {}, '', 'A'.repeat(43)])
      expect((await signInByLink(pool, bad, origin())).kind).toBe('refused');
  });

  it('an account without a password opens to no password', async () => {
    await person('first@demo.local', null);
    expect((await signIn(pool, { email: 'first@demo.local', password: 'x' }, origin())).kind).toBe('refused');
  });
});
