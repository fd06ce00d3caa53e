// A desk with people and an outside system: exceptions made by the ledger's own verbs, decided by real commands.
import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/domain/actor';
import type { ExceptionKind } from '@/lib/domain/exception-kinds';
import type { ExceptionView } from '@/lib/domain/exception-view';
import { getException } from '@/lib/review/get-exception';
import type { LookingContext } from '@/lib/review/desk-context';
import type { TestDatabase } from './database';
import { asActor, type Json } from './ledger-fixture';
import { lookupFixture, type LookupFixture } from './lookup-fixture';
import { actorOf } from './people';

interface AuditRow extends Json {
  event: string;
  outcome: string;
  refusal_code: string | null;
  actor_id: string;
  body: Json;
}

export interface DeskFixture extends LookupFixture {
  db: TestDatabase;
  /** A person with a context for commands; an operator with authority `money` in tenant-north unless said otherwise. */
  desk: (rights?: {
    roles?: string[];
    authorities?: string[];
    tenants?: string[];
  }) => Promise<LookingContext>;
  /** The page's read model, and what every form sends along. */
  seen: (ctx: LookingContext, exceptionId: string) => Promise<{ view: ExceptionView; form: SeenForm }>;
  exceptionOf: (executionId: string, kind?: ExceptionKind) => Promise<string>;
  audit: (filter: { operationId?: string; exceptionId?: string }) => Promise<AuditRow[]>;
  /** Every row of the tables that a decision may touch, for "nothing happened". */
  everything: () => Promise<Json>;
  /** Until called again, no audit event can be written. */
  breakAudit: () => Promise<() => Promise<void>>;
}

export interface SeenForm {
  exceptionId: string;
  exceptionVersion: string;
  executionVersion: string | null;
  operationId: string;
  rationale: string;
}

export const RATIONALE = 'Seen in the payment service, order by order.';

const TABLES = [
  'ledger.executions',
  'ledger.operation_pauses',
  'review.exceptions',
  'review.exception_events',
  'review.decisions',
  'review.approval_requests',
  'review.approval_decisions',
  'review.audit_events',
];

export async function deskFixture(db: TestDatabase): Promise<DeskFixture> {
  const lookups = await lookupFixture(db);
  const owner = db.pool('owner');

  const desk: DeskFixture['desk'] = async (rights) => {
    const context = await lookups.person(rights);
    const actor: Actor = await actorOf(db, context.actor.id);
    return { actor, context, pool: db.pool('app'), asking: lookups.asking };
  };

  return {
    ...lookups,
    db,
    desk,
    seen: async (ctx, exceptionId) => {
      const view = await getException(ctx, exceptionId);
      if (view === null) throw new Error(`no exception ${exceptionId} for this person`);
      const form = {
        exceptionId,
        exceptionVersion: view.exception.version,
        executionVersion: view.execution?.version ?? null,
        operationId: randomUUID(),
        rationale: RATIONALE,
      };
      return { view, form };
    },
    exceptionOf: async (executionId, kind) => {
      const { rows } = await owner.query<{ exception_id: string }>(
        `select exception_id from review.exceptions where execution_id = $1 and state = 'OPEN' and ($2::text is null or kind = $2)`,
        [executionId, kind ?? null],
      );
      if (rows.length !== 1) throw new Error(`${rows.length} open exceptions of execution ${executionId}`);
      return rows[0]!.exception_id;
    },
    audit: async ({ operationId, exceptionId }) => {
      const { rows } = await owner.query<AuditRow & { body: string; texts: Record<string, string> | null }>(
        `select event, outcome, refusal_code, actor_id, body,
           (select jsonb_object_agg(path, value) from review.audit_texts where event_number = number) as texts from review.audit_events
         where ($1::uuid is null or operation_id = $1) and ($2::uuid is null or exception_id = $2) order by number`,
        [operationId ?? null, exceptionId ?? null],
      );
      return rows.map(({ texts, ...row }) => ({ ...row, body: bodyWithTexts(row.body, texts) }));
    },
    everything: async () => {
      const all: Json = {};
      for (const table of TABLES) {
        const { rows } = await owner.query<{ rows: unknown }>(
          `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows from ${table} t`,
        );
        all[table] = rows[0]!.rows;
      }
      return all;
    },
    breakAudit: async () => {
      const { rows } = await owner.query<{ definition: string }>(
        `select pg_get_functiondef('review.append_audit'::regproc) as definition`,
      );
      await owner.query(
        rows[0]!.definition.replace(
          /AS \$function\$[\s\S]*\$function\$/,
          () =>
            `AS $function$ BEGIN RAISE EXCEPTION 'the audit is broken' USING ERRCODE = 'XX001'; END $function$`,
        ),
      );
      return async () => void (await owner.query(rows[0]!.definition));
    },
  };
}

/** An event's body as it was before what people wrote was taken out of it. */
function bodyWithTexts(stored: string, texts: Record<string, string> | null): Json {
  const { commitments: _commitments, ...body } = JSON.parse(stored) as Json;
  for (const [path, value] of Object.entries(texts ?? {})) {
    const [first = '', second] = path.split('.');
    body[first] = second === undefined ? value : { ...(body[first] as Json), [second]: value };
  }
  return body;
}

/** Changes a person's row as an administrator would. */
export async function changePerson(db: TestDatabase, personId: string, set: string): Promise<void> {
  await asActor(db.pool('owner'), { kind: 'system', id: 'system:test' }, (client) =>
    client.query(`update review.people set ${set} where person_id = $1`, [personId]),
  );
}
