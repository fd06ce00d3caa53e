// Many executions and exceptions at once, for what depends on their number. Written past the triggers, which would make
// each of them one by one: what is tested here is reading.
import type { TestDatabase } from './database';
import { ledgerFixture, NORTH, SOUTH } from './ledger-fixture';

export interface ManyExceptions {
  /** How many; every 40th belongs to tenant-south. */
  count: number;
  /** One in this many is open, the others are closed by the executor. */
  openEvery: number;
  /** Rows that share one instant of opening and of being due, to the microsecond. */
  perInstant: number;
}

/** Fills a fresh test database: kinds, severities and operations are spread evenly, keys are `key-000001` and so on. */
export async function manyExceptions(
  db: TestDatabase,
  { count, openEvery, perInstant }: ManyExceptions,
): Promise<void> {
  await ledgerFixture(db);
  const client = await db.pool('superuser').connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = replica`);
    await client.query(
      `insert into ledger.executions (execution_id, tenant_id, principal_id, operation, idempotency_key, request_id, fingerprint, state,
         state_since, moved_by, unknown_reason, lineage_id, result_id, display_fields, created_at, updated_at, expires_at)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case n % 40 when 0 then 'tenant-south' else 'tenant-north' end, case n % 40 when 0 then $3 else $2 end,
         'operation-' || n % 12, 'key-' || lpad(n::text, 6, '0'), 'req-' || lpad(n::text, 6, '0'),
         'sha256:' || repeat('ab', 32), 'UNKNOWN', now() - make_interval(secs => n), 'sweep', 'LEASE_OVER',
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case when n % 3 = 0 then 'result-' || n end, jsonb_build_object('/amount', n::text), now(), now(), now() + interval '90 days'
       from generate_series(1, $1::integer) n`,
      [count, NORTH, SOUTH],
    );
    await client.query(
      `insert into review.exceptions (exception_id, tenant_id, kind, execution_id, lineage_id, principal_id, operation, state, severity, due_at,
         reason_code, opened_at, closed_at, closed_by, closing, closing_code, updated_at, system, cause)
       select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case n % 40 when 0 then 'tenant-south' else 'tenant-north' end,
         (array['UNKNOWN_RESULT', 'STUCK_PROCESSING', 'LONG_RUNNING', 'CONTENT_CONFLICT', 'EXPIRED_KEY', 'MISSING_RESULT_ID', 'RETRY_STALLED'])[n % 7 + 1],
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         case n % 40 when 0 then $4 else $3 end, 'operation-' || n % 12,
         case when n % $2::integer = 0 then 'OPEN' else 'CLOSED' end, n % 4 + 1,
         timestamptz '2026-01-01 00:00:00.000001+00' + make_interval(secs => (n / $5::integer) * 7.000003),
         'LEASE_OVER', timestamptz '2026-01-01 00:00:00.000002+00' + make_interval(secs => (n / $5::integer) * 3.000007),
         case when n % $2::integer <> 0 then now() end, case when n % $2::integer <> 0 then 'system:executor' end,
         case when n % $2::integer <> 0 then 'EXECUTOR' end, case when n % $2::integer <> 0 then 'SETTLED' end, now(),
         'system-' || n % 5, 'CODE_' || n % 8 || ' @ system-' || n % 5
       from generate_series(1, $1::integer) n`,
      [count, openEvery, NORTH, SOUTH, perInstant],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  await db.pool('superuser').query('analyze ledger.executions, review.exceptions, ledger.intakes');
}
