import 'server-only';
import pino from 'pino';
import { z } from 'zod';
import { sqlstateOf } from '@/lib/db/sqlstate';
import type { AuditEventName } from '@/lib/domain/audit-events';
import { BULK_CAP, BULK_SLICE, type BulkAct, type BulkAnswer } from '@/lib/domain/bulk-acts';
import { isConclusive } from '@/lib/domain/bulk-link';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import type { LookupStanding } from '@/lib/domain/decision-evidence';
import { assignException } from './assign-exception';
import { auditRefusal } from './audit-refusal';
import { deskActInput, evidenceInput, operationId, storableText } from './command-input';
import { deferException } from './defer-exception';
import type { LookingContext } from './desk-context';
import { linkResult } from './link-result';
import { lookUpNow } from './look-up-now';
import { parseCommand } from './run-command';

const log = pino({ name: 'bulk', level: process.env['LOG_LEVEL'] ?? 'info', base: null });

/** The batch is judged as a whole each time; `only` names the rows to carry out now, by their operation ids. */
const batch = {
  operationId,
  only: z.array(operationId).min(1).max(BULK_SLICE),
};
const rowsOf = <Row extends z.ZodType>(row: Row) => z.array(row).min(1).max(BULK_CAP);

const input = z
  .discriminatedUnion('act', [
    z.strictObject({
      ...batch,
      act: z.literal('assign'),
      rows: rowsOf(deskActInput),
      assigneeId: z.uuid().nullable(),
    }),
    z.strictObject({
      ...batch,
      act: z.literal('defer'),
      rows: rowsOf(deskActInput),
      until: z.iso.datetime({ offset: true }),
      place: storableText,
      reason: storableText,
    }),
    z.strictObject({ ...batch, act: z.literal('look-up'), rows: rowsOf(deskActInput) }),
    z.strictObject({
      ...batch,
      act: z.literal('link'),
      rows: rowsOf(evidenceInput.omit({ rationale: true })),
    }),
  ])
  .refine(({ rows }) => areDifferent(rows.map((row) => row.exceptionId)), { path: ['rows'] })
  .refine(({ rows }) => areDifferent(rows.map((row) => row.operationId)), { path: ['rows'] })
  .refine(({ rows, only }) => only.every((id) => rows.some((row) => row.operationId === id)), {
    path: ['only'],
  });

type Batch = z.infer<typeof input>;

const areDifferent = (ids: readonly string[]) => new Set(ids).size === ids.length;

/** Under which a refusal of the whole batch is kept. */
const EVENT_OF: Readonly<Record<BulkAct, AuditEventName>> = {
  assign: 'exception.assigned',
  defer: 'exception.deferred',
  'look-up': 'lookup.requested',
  link: 'decision.result_linked',
};

// By primary keys. Another tenant's exception and a missing one are the same answer.
const REACHABLE = `select exception_id from review.exceptions where exception_id = any($1::uuid[]) and tenant_id = any($2::text[])`;

/**
 * R-053 The same act for each of many exceptions: every row is a command of its own, with its version, operation id, audit
 * event and answer. One id that is not the person's to see refuses the whole batch before anything is done (AZ-06).
 */
export async function actOnMany(ctx: LookingContext, raw: unknown): Promise<BulkAnswer> {
  const parsed = await parseCommand(ctx, { input, event: eventOf(raw) }, raw);
  if (!parsed.ok) return refusalOf(parsed.answer);
  const asked = parsed.input;
  const ids = asked.rows.map((row) => row.exceptionId);
  const { rows: found } = await ctx.pool.query<{ exception_id: string }>(REACHABLE, [
    ids,
    ctx.actor.tenantIds,
  ]);
  const notFound = ids.length - found.length;
  if (notFound > 0) {
    const event = EVENT_OF[asked.act];
    await auditRefusal(
      ctx,
      event,
      'NOT_FOUND',
      { operationId: asked.operationId },
      { selected: ids.length, notFound },
    );
    return { outcome: 'refused', code: 'NOT_FOUND' };
  }
  const rows = [];
  for (const { row, run } of commandsOf(ctx, asked).filter(({ row: { operationId: id } }) =>
    asked.only.includes(id),
  ))
    rows.push({ operationId: row.operationId, answer: await answerOf(asked.act, row.operationId, run) });
  return { outcome: 'answered', rows };
}

/** The event of an input that is not parsed yet; what cannot be told apart counts as a denied access. */
function eventOf(raw: unknown): AuditEventName {
  const act = z.object({ act: z.enum(Object.keys(EVENT_OF) as BulkAct[]) }).safeParse(raw);
  return act.success ? EVENT_OF[act.data.act] : 'access.denied';
}

function refusalOf(answer: CommandAnswer): Extract<CommandAnswer, { outcome: 'refused' }> {
  if (answer.outcome !== 'refused') throw new Error(`bug: not parsed, and yet ${answer.outcome}`);
  return answer;
}

/** A fault in one row is that row's: its outcome is not known, and the others go on. */
async function answerOf(act: BulkAct, id: string, run: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
  try {
    return await run();
  } catch (error) {
    log.error({ event: 'bulk_row_failed', act, operationId: id, sqlstate: sqlstateOf(error) });
    return { outcome: 'unknown' };
  }
}

interface RowCommand {
  row: { operationId: string };
  run: () => Promise<CommandAnswer>;
}

/** The command of each row: the same one as on the exception's own page. */
function commandsOf(ctx: LookingContext, asked: Batch): RowCommand[] {
  switch (asked.act) {
    case 'assign': {
      const { assigneeId } = asked;
      return asked.rows.map((row) => ({ row, run: () => assignException(ctx, { ...row, assigneeId }) }));
    }
    case 'defer': {
      const { until, place, reason } = asked;
      return asked.rows.map((row) => ({
        row,
        run: () => deferException(ctx, { ...row, until, place, reason }),
      }));
    }
    case 'look-up':
      return asked.rows.map((row) => ({ row, run: () => lookUpNow(ctx, { exceptionId: row.exceptionId }) }));
    case 'link':
      return asked.rows.map((row) => ({ row, run: () => linkConclusive(ctx, row) }));
    default: {
      const impossible: never = asked;
      throw new Error(`bug: unknown act ${JSON.stringify(impossible)}`);
    }
  }
}

type LinkRow = Extract<Batch, { act: 'link' }>['rows'][number];

const EVIDENCE = `
  select connector_id is null as "byPerson", outcome, verdict, result_id as "resultId", account_match as "accountMatch",
    content_match as "contentMatch" from review.lookups where lookup_id = $1::uuid and tenant_id = any($2::text[])`;

/** What the evidence is can be told now and never changes; whether it still holds is judged where the link is made. */
async function linkConclusive(ctx: LookingContext, row: LinkRow): Promise<CommandAnswer> {
  const { rows } = await ctx.pool.query<LookupStanding & Record<string, unknown>>(EVIDENCE, [
    row.evidenceId,
    ctx.actor.tenantIds,
  ]);
  if (rows[0] === undefined || !isConclusive(rows[0])) {
    await auditRefusal(ctx, EVENT_OF.link, 'NOT_CONCLUSIVE', row, { evidenceId: row.evidenceId });
    return { outcome: 'refused', code: 'NOT_CONCLUSIVE' };
  }
  return linkResult(ctx, { ...row, rationale: '' });
}
