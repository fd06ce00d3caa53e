// What is measured. Rates depend on the machine; ratios are taken within one run and can be compared between machines.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { insertBulk } from '../bulk-trail';
import { fingerprint, NORTH, OPERATION } from '../ledger-fixture';
import { testContext } from '../people';
import { byTurns, rateOf } from './at-once';
import type { BenchDatabase } from './bench-database';

export interface Line {
  name: string;
  value: number;
  unit: string;
}

const run = promisify(execFile);
const AT_ONCE = 8;
const ROUNDS = 3;

/** The log of so many events by `npm run audit:verify`, in a process of its own: its rate and its greatest memory. */
export async function verification(db: BenchDatabase, events: number): Promise<Line[]> {
  await insertBulk(db.pool('postgres', 1), events);
  const args = ['--import', 'tsx', '--conditions=react-server', 'lib/testing/bench/verify-and-measure.ts'];
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: db.url('onceover_signer') },
  });
  const { upTo, ms, peakMiB } = JSON.parse(stdout) as { upTo: string; ms: number; peakMiB: number };
  if (upTo !== String(events)) throw new Error(`bug: ${upTo} of ${events} events were verified`);
  return [
    { name: `audit: ${events} events verified`, value: (events * 1_000) / ms, unit: 'events/s' },
    { name: 'audit: peak memory of that', value: peakMiB, unit: 'MiB' },
  ];
}

/** As append_audit without the queue of one and without the hash: what an audit that proves nothing would cost. */
const UNCHAINED = `create schema bench; grant usage on schema bench to onceover_app;
  create table bench.events (number bigserial primary key, event text not null, occurred_at timestamptz not null, actor_id text not null, body text not null);
  create function bench.append(p_event text, p_body jsonb) returns bigint language sql security definer as
    $$ insert into bench.events (event, occurred_at, actor_id, body)
       values (p_event, ledger.clock(), current_setting('onceover.actor_id'), p_body::text) returning number $$`;

/** A transaction that appends one event: with the chain, and to a plain table. */
export async function appending(db: BenchDatabase, events: number): Promise<Line[]> {
  await db.pool('postgres', 1).query(UNCHAINED);
  const pool = db.pool('onceover_app', AT_ONCE);
  const body = { text: 'A comment of ordinary length, as people write them.' };
  const chained = () =>
    rateOf(events, AT_ONCE, () =>
      transaction(pool, testContext, (tx) =>
        // A refusal: what is done is told by the function that does it, and is more than an event.
        appendAudit(tx, {
          event: 'exception.commented',
          outcome: 'refused',
          refusalCode: 'ROLE_MISSING',
          body,
        }),
      ),
    );
  const plain = () =>
    rateOf(events, AT_ONCE, () =>
      transaction(pool, testContext, (tx) =>
        tx.query('select bench.append($1, $2)', ['exception.commented', JSON.stringify(body)]),
      ),
    );
  const [withChain, without] = await byTurns(ROUNDS, chained, plain);
  return [
    { name: `audit: appended by ${AT_ONCE} at once`, value: withChain, unit: 'events/s' },
    { name: 'audit: with the chain to without', value: withChain / without, unit: 'ratio' },
  ];
}

/** What a producer would write without a ledger: one row under a unique key. */
const PLAIN_KEYS = `create table bench.keys (key text primary key, fingerprint text not null, at timestamptz not null default clock_timestamp());
  grant insert on bench.keys to onceover_app`;

/** New claims, and a plain insert under a unique key. */
export async function claiming(db: BenchDatabase, claims: number): Promise<Line[]> {
  const superuser = db.pool('postgres', 1);
  await superuser.query(PLAIN_KEYS);
  await transaction(superuser, testContext, async (tx) => {
    await tx.query(`insert into review.tenants (tenant_id, display_name) values ('tenant-north', 'North')`);
    await tx.query(
      `insert into ledger.principals (principal_id, tenant_id, display_name) values ($1, 'tenant-north', 'North')`,
      [NORTH],
    );
  });
  const pool = db.pool('onceover_app', AT_ONCE);
  const print = fingerprint('content');
  const ledger = () =>
    rateOf(claims, AT_ONCE, () =>
      pool.query('select ledger.claim_as($1, $2)', [
        NORTH,
        { operation: OPERATION, key: randomUUID(), fingerprint: print },
      ]),
    );
  const plain = () =>
    rateOf(claims, AT_ONCE, () =>
      pool.query('insert into bench.keys (key, fingerprint) values ($1, $2) on conflict do nothing', [
        randomUUID(),
        print,
      ]),
    );
  const [claimed, inserted] = await byTurns(ROUNDS, ledger, plain);
  return [
    { name: `claims of new keys by ${AT_ONCE} at once`, value: claimed, unit: 'claims/s' },
    { name: 'claims to plain inserts', value: claimed / inserted, unit: 'ratio' },
  ];
}
