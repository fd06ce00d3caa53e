// Where the writing of an audit event is made to fail, in the database itself, and what everything looks like meanwhile.
import type { TestDatabase } from './database';

/** `before` the event has a number · `inside` its insert · `after` it, in the same statement · `commit` at the transaction's end. */
export const AUDIT_POINTS = ['before', 'inside', 'after', 'commit'] as const;
export type AuditPoint = (typeof AUDIT_POINTS)[number];

/** SQLSTATE of the failpoint, which no function of ours catches. */
export const FAILPOINT = 'XX001';

const TRIGGERS: Record<AuditPoint, string> = {
  before: `create trigger testing_failpoint before update on review.audit_head
             for each row when (new.number <> old.number) execute function failpoint.strike()`,
  inside: `create trigger testing_failpoint before insert on review.audit_events for each row execute function failpoint.strike()`,
  after: `create trigger testing_failpoint after insert on review.audit_events for each row execute function failpoint.strike()`,
  commit: `create constraint trigger testing_failpoint after insert on review.audit_events deferrable initially deferred
             for each row execute function failpoint.strike()`,
};

/** Until the answer is called, no audit event gets past the point. The error's `where` names the functions under way. */
export async function failAuditAt(db: TestDatabase, point: AuditPoint): Promise<() => Promise<void>> {
  const superuser = db.pool('superuser');
  await superuser.query(`create schema if not exists failpoint;
    grant usage on schema failpoint to public;
    create or replace function failpoint.strike() returns trigger language plpgsql as
      $$ begin raise exception 'failpoint' using errcode = '${FAILPOINT}'; end $$;
    ${TRIGGERS[point]}`);
  return async () =>
    void (await superuser.query(`drop trigger if exists testing_failpoint on review.audit_head;
      drop trigger if exists testing_failpoint on review.audit_events`));
}

/** Where every act leaves its trace, the refused one too. */
export const AUDIT_TABLES = ['review.audit_events', 'review.audit_head', 'review.audit_texts'];

/** A digest of each table of the product, jobs included. */
export async function digestOfAll(
  db: TestDatabase,
  without: readonly string[] = [],
): Promise<Record<string, string>> {
  const superuser = db.pool('superuser');
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
      where relnamespace::regnamespace::text in ('ledger', 'review', 'graphile_worker')
        and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const chosen = tables.filter(({ name }) => !without.includes(name));
  const { rows } = await superuser.query<{ name: string; digest: string }>(
    chosen
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as digest from ${name} t`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
