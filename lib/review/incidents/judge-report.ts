import 'server-only';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CommandAnswer, FileFault } from '@/lib/domain/command-answer';
import { hasRoleFor } from '@/lib/domain/permissions';
import type { RefusalCode } from '@/lib/domain/refusals';
import { readReport, type ReportFile } from '@/lib/domain/report-file';
import { missingColumns, namedRows, reportReading } from '@/lib/domain/report-reading';
import { judgeReport } from '@/lib/domain/report-verdict';
import { auditRefusal } from '../audit-refusal';
import { isStorable, operationId } from '../command-input';
import type { DeskContext } from '../desk-context';
import { carryOut, parseCommand } from '../run-command';
import { comparedFields, reportGround, type ReportSubject } from './report-ground';

const EVENT = 'incident.report_judged';

const input = z
  .strictObject({
    incidentId: z.uuid(),
    operation: z.string().min(1).max(128),
    fileName: z.string().min(1).max(200),
    /** Until when the report tells, as whoever fetched it knows. */
    asOf: z.iso.datetime({ offset: true }),
    reading: reportReading,
    operationId,
  })
  .refine(isStorable);

type Asked = z.infer<typeof input>;
type Readable = Extract<ReportFile, { ok: true }>;

const SUBJECT = `
  select incident_id as "incidentId", tenant_id as "tenantId", system, $3::text as operation from review.incidents
   where incident_id = $1::uuid and tenant_id = any($2::text[])`;

/**
 * Whether the person's report on this incident is looked at at all, before anything of it is read; what is refused is on
 * record. The rights of the operation are judged where the report is kept.
 */
export async function reportDoor(ctx: DeskContext, incidentId: string): Promise<RefusalCode | null> {
  const { rows } = z.uuid().safeParse(incidentId).success
    ? await ctx.pool.query(SUBJECT, [incidentId, ctx.actor.tenantIds, ''])
    : { rows: [] };
  const code: RefusalCode | null =
    rows.length === 0 ? 'NOT_FOUND' : hasRoleFor(ctx.actor, 'decision.take') ? null : 'ROLE_MISSING';
  if (code !== null) await auditRefusal(ctx, EVENT, code, {}, code === 'NOT_FOUND' ? {} : { incidentId });
  return code;
}

/**
 * R-056 The dry run of a provider's report: reads the file, gives each row its verdict and keeps the verdicts. Nothing is
 * linked. Of a file that is refused nothing is kept.
 */
export async function judgeProviderReport(
  ctx: DeskContext,
  raw: unknown,
  bytes: Uint8Array,
): Promise<CommandAnswer> {
  const parsed = await parseCommand(ctx, { input, event: EVENT }, raw);
  if (!parsed.ok) return parsed.answer;
  const asked = parsed.input;
  const file = readReport(bytes);
  if (!file.ok) return refuse(ctx, asked, 'REPORT_UNREADABLE', { fault: file.fault, line: file.line });
  const missing = missingColumns(asked.reading, file.columns);
  if (missing.length > 0) return refuse(ctx, asked, 'COLUMN_MISSING', { columns: missing });
  const { rows } = await ctx.pool.query<ReportSubject & Record<string, unknown>>(SUBJECT, [
    asked.incidentId,
    ctx.actor.tenantIds,
    asked.operation,
  ]);
  const [about] = rows;
  if (about === undefined) return refuse(ctx, asked, 'NOT_FOUND', {});
  const tolerances = await comparedFields(ctx.pool, about);
  const named = new Set(asked.reading.content.map(({ expected }) => expected));
  const unnamed = [...tolerances.keys()].filter((expected) => !named.has(expected));
  if (unnamed.length > 0) return refuse(ctx, asked, 'CONTENT_NOT_NAMED', { fields: unnamed });
  return keep(ctx, asked, about, file, tolerances, createHash('sha256').update(bytes).digest('hex'));
}

async function keep(
  ctx: DeskContext,
  asked: Asked,
  about: ReportSubject,
  file: Readable,
  tolerances: ReadonlyMap<string, string>,
  sha256: string,
): Promise<CommandAnswer> {
  const rows = namedRows(asked.reading, file);
  const ground = await reportGround(ctx.pool, about, asked.reading.matchValue, rows);
  const judged = judgeReport(rows, { reading: asked.reading, asOf: asked.asOf, tolerances, ...ground });
  return carryOut(
    ctx,
    { event: EVENT, statement: 'select review.keep_judged_report($1::jsonb) as answer' },
    { ...asked, sha256, rowCount: rows.length, rows: judged },
  );
}

async function refuse(
  ctx: DeskContext,
  asked: Asked,
  code: RefusalCode,
  file: FileFault,
): Promise<CommandAnswer> {
  await auditRefusal(ctx, EVENT, code, asked, { incidentId: asked.incidentId, ...file });
  return { outcome: 'refused', code, file };
}
