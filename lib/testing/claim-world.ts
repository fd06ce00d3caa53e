// One ledger behind all doors: a SQL login, an API token and a client of the same principal, and what only its owner sees.
import { randomUUID } from 'node:crypto';
import { openDoor, type DoorName } from './doors/open';
import type { Door, Ledger, Sent, Told } from './doors/door';
import { asActor } from './ledger-fixture';
import { producerApiUnderTest, type ProducerApiUnderTest } from './producer-api';

type Row = Record<string, unknown> & { execution_id: string; state: string };

export interface ClaimWorld {
  readonly api: ProducerApiUnderTest;
  readonly ledger: Ledger;
  door(name: DoorName): Door;
  /** A name that no other case uses. */
  fresh(what: string): string;
  /** The record as stored; undefined when there is none. */
  row(sent: Sent): Promise<Row | undefined>;
  dispositions(sent: Sent): Promise<string[]>;
  /** Kinds of the open exceptions of a record. */
  exceptions(executionId: string): Promise<string[]>;
  /** A column of the record as the instant it holds, to the microsecond. */
  instant(executionId: string, column: 'expires_at' | 'lease_expires_at'): Promise<string>;
  /** Stops the ledger's clock so many microseconds after an instant. */
  stopAt(instant: string, microseconds: number): Promise<void>;
  /** Claims and announces the effect. */
  started(door: Door, sent: Sent): Promise<{ executionId: string; fencingToken: string }>;
  /** What time alone shows: one sweep as the worker. */
  sweep(): Promise<void>;
  /** Puts a registered key in the place of the record's, as an approved reissue does. */
  replaced(sent: Sent): Promise<{ executionId: string; key: string }>;
  close(): Promise<void>;
}

const REISSUE = `
  insert into ledger.executions (execution_id, tenant_id, principal_id, operation, idempotency_key, fingerprint,
    fingerprint_algorithm, policy_version, state, state_since, moved_by, lineage_id, reissue_of, reissue_relation, created_at, updated_at)
  select $2, tenant_id, principal_id, operation, $3, fingerprint, fingerprint_algorithm, policy_version, 'RECEIVED', ledger.clock(),
    'person', lineage_id, execution_id, 'RETRY_AS_NEW', ledger.clock(), ledger.clock()
  from ledger.executions where execution_id = $1`;

const LIMITLESS = { perSecond: 1_000_000, burst: 1_000_000 };

export async function claimWorld(): Promise<ClaimWorld> {
  const api = await producerApiUnderTest({ claimLimit: LIMITLESS, otherLimit: LIMITLESS });
  const owner = api.db.pool('owner');
  const { role, url: sqlUrl } = await api.db.producer();
  await owner.query(`update ledger.principals set login_role = $1 where principal_id = 'north'`, [role]);
  const ledger = { sqlUrl, apiUrl: api.url, token: api.tokens.north };
  const doors = new Map<DoorName, Door>();

  const one = async <T>(sql: string, values: unknown[]): Promise<T[]> =>
    (await owner.query(sql, values)).rows as T[];
  return {
    api,
    ledger,
    door: (name) => {
      const door = doors.get(name) ?? openDoor(name, ledger);
      doors.set(name, door);
      return door;
    },
    fresh: (what) => `${what}-${randomUUID()}`,
    row: async ({ operation, key }) =>
      (
        await one<Row>(
          `select * from ledger.executions where principal_id = 'north' and operation = $1 and idempotency_key = $2`,
          [operation, key],
        )
      )[0],
    dispositions: async ({ operation, key }) =>
      (
        await one<{ disposition: string }>(
          'select disposition from ledger.intakes where operation = $1 and idempotency_key = $2 order by received_at, intake_id',
          [operation, key],
        )
      ).map((each) => each.disposition),
    exceptions: async (executionId) =>
      (
        await one<{ kind: string }>(
          `select kind from review.exceptions where execution_id = $1 and state = 'OPEN' order by kind`,
          [executionId],
        )
      ).map((each) => each.kind),
    instant: async (executionId, column) =>
      (
        await one<{ at: string }>(
          `select ledger.instant(${column}) as at from ledger.executions where execution_id = $1`,
          [executionId],
        )
      )[0]!.at,
    stopAt: async (instant, microseconds) => {
      await api.db.setClock(instant);
      await api.db.advanceClock(`${microseconds} microseconds`);
    },
    started: async (door, sent) => {
      const { executionId = '', fencingToken = '' } = expectWord(await door.claim(sent), 'CLAIMED');
      expectWord(await door.report('effect-started', executionId, { fencingToken }), 'OK');
      return { executionId, fencingToken };
    },
    sweep: () =>
      asActor(api.db.pool('worker'), { kind: 'system', id: 'system:worker' }, async (client) => {
        await client.query('select ledger.sweep()');
      }),
    replaced: async (sent) => {
      const [{ id } = { id: '' }] = await one<{ id: string }>(
        'select execution_id as id from ledger.executions where operation = $1 and idempotency_key = $2',
        [sent.operation, sent.key],
      );
      const executionId = randomUUID();
      const key = `reissue-${executionId}`;
      await asActor(owner, { kind: 'system', id: 'system:test' }, async (client) => {
        await client.query(
          `update ledger.executions set superseded_by = $2, moved_by = 'person', fencing_token = fencing_token + 1 where execution_id = $1`,
          [id, executionId],
        );
        await client.query(REISSUE, [id, executionId, key]);
      });
      return { executionId, key };
    },
    close: async () => {
      await Promise.all([...doors.values()].map((door) => door.close()));
      await api.close();
    },
  };
}

function expectWord(answer: Told, word: string): Told {
  if (answer.word !== word) throw new Error(`expected ${word}, was told ${JSON.stringify(answer)}`);
  return answer;
}
