import 'server-only';
import { createHash } from 'node:crypto';
import type { Transaction } from '@/lib/db/transaction';
import {
  KNOWN_SOURCE_DAYS,
  secondsToWait,
  WINDOW_SECONDS,
  type Failures,
} from '@/lib/domain/sign-in-throttle';

/** Seconds after which an attempt without an end (a killed process) no longer counts as a failure. */
const PENDING_SECONDS = 60;
/** Rows removed per attempt at most, so that cleaning up never makes a sign-in wait. */
const SWEEP_ROWS = 50;

export type Admission = { kind: 'admitted'; attemptId: string } | { kind: 'wait'; seconds: number };

interface CountRow {
  pair_count: number;
  pair_age: number;
  account_count: number;
  account_age: number;
  source_count: number;
  source_age: number;
  source_known: boolean;
}

/** What is kept of a typed account name: it may be a password typed into the wrong field. */
export function accountDigest(account: string): Buffer {
  return createHash('sha256').update('onceover account v1\0').update(account, 'utf8').digest();
}

/**
 * Takes a place for one attempt, or says how long to wait. Attempts of one account and of one source queue here, so that
 * parallel guesses are counted one after the other; an admitted one counts as failed until it ends.
 */
export async function admitSignIn(tx: Transaction, account: Buffer, source: string): Promise<Admission> {
  // Account before source, always: two attempts never wait for each other in a circle.
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('sign-in account ' || encode($1, 'hex'), 0))`,
    [account],
  );
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sign-in source ' || $1, 0))`, [source]);
  const { rows } = await tx.query<CountRow>(COUNT, [
    account,
    source,
    WINDOW_SECONDS,
    PENDING_SECONDS,
    KNOWN_SOURCE_DAYS,
  ]);
  const [row] = rows;
  if (!row) throw new Error('bug: the count of sign-in attempts returned no row');
  const seconds = secondsToWait({
    pair: failures(row.pair_count, row.pair_age),
    account: failures(row.account_count, row.account_age),
    source: failures(row.source_count, row.source_age),
    sourceKnown: row.source_known,
  });
  if (seconds > 0) return { kind: 'wait', seconds };
  await tx.query(
    `delete from review.sign_in_attempts where attempt_id in (
       select attempt_id from review.sign_in_attempts
        where at < ledger.clock() - make_interval(days => $1) limit $2)`,
    [KNOWN_SOURCE_DAYS, SWEEP_ROWS],
  );
  const inserted = await tx.query<{ attempt_id: string }>(
    `insert into review.sign_in_attempts (account_digest, source_address, outcome) values ($1, $2, 'PENDING')
     returning attempt_id`,
    [account, source],
  );
  return { kind: 'admitted', attemptId: inserted.rows[0]?.attempt_id ?? '' };
}

export async function endAttempt(
  tx: Transaction,
  attemptId: string,
  outcome: 'FAILED' | 'SUCCEEDED',
): Promise<void> {
  await tx.query(`update review.sign_in_attempts set outcome = $2 where attempt_id = $1`, [
    attemptId,
    outcome,
  ]);
}

function failures(count: number, secondsSinceLast: number): Failures {
  return { count, secondsSinceLast };
}

// A success wipes the failures of its account before it, but not those of its source: an attacker's own account
// would otherwise reset the count. Indexes: sign_in_attempts_account, sign_in_attempts_source.
const COUNT = `
  with recent as (
    select account_digest = $1 as same_account, source_address = $2 as same_source, at,
           at <= coalesce((select max(w.at) from review.sign_in_attempts w
                            where w.account_digest = $1 and w.outcome = 'SUCCEEDED'), '-infinity') as wiped
      from review.sign_in_attempts
     where (account_digest = $1 or source_address = $2)
       and at > ledger.clock() - make_interval(secs => $3)
       and (outcome = 'FAILED' or (outcome = 'PENDING' and at > ledger.clock() - make_interval(secs => $4)))
  )
  select count(*) filter (where same_account and same_source and not wiped)::int as pair_count,
         coalesce(extract(epoch from ledger.clock() - max(at) filter (where same_account and same_source)), 0)::float8 as pair_age,
         count(*) filter (where same_account and not wiped)::int as account_count,
         coalesce(extract(epoch from ledger.clock() - max(at) filter (where same_account)), 0)::float8 as account_age,
         count(*) filter (where same_source)::int as source_count,
         coalesce(extract(epoch from ledger.clock() - max(at) filter (where same_source)), 0)::float8 as source_age,
         exists (select 1 from review.sign_in_attempts
                  where account_digest = $1 and source_address = $2 and outcome = 'SUCCEEDED'
                    and at > ledger.clock() - make_interval(days => $5)) as source_known
    from recent`;
