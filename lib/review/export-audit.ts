import 'server-only';
import { appendAudit } from '@/lib/db/append-audit';
import { transaction } from '@/lib/db/transaction';
import { hasRoleFor } from '@/lib/domain/permissions';
import { isRole } from '@/lib/domain/actor';
import { ANY_AUDIT_EVENT, type AuditFilter } from './audit-filter';
import { auditRefusal } from './audit-refusal';
import type { DeskContext } from './desk-context';
import { csvChunks, jsonChunks } from './export-lines';
import { takeExportPlace, type ExportPlace } from './export-places';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportAnswer =
  /** Who asks may not export. */
  | { kind: 'refused' }
  /** Others are at it; to be asked again in a moment. */
  | { kind: 'busy' }
  | { kind: 'export'; name: string; stream: ReadableStream<Uint8Array> };

/**
 * The audit as the person sees it through a filter, for a file. Rights are read under a lock and the export is on record
 * before its first byte leaves (AU-17): which filters, and not what was looked for.
 */
export async function exportAudit(
  ctx: DeskContext,
  filter: AuditFilter,
  format: ExportFormat,
): Promise<ExportAnswer> {
  const place = takeExportPlace();
  if (place === null) return { kind: 'busy' };
  try {
    const started = await recordExport(ctx, filter, format);
    if (started === null) {
      await auditRefusal(ctx, 'audit.exported', 'ROLE_MISSING', {}, { format });
      place.release();
      return { kind: 'refused' };
    }
    const view = { ctx: { actor: started.actor, db: ctx.pool }, filter, upTo: started.number };
    const chunks = format === 'csv' ? csvChunks(view) : jsonChunks(view, started.at);
    const name = `onceover-audit-${started.number}.${format}`;
    return { kind: 'export', name, stream: streamOf(chunks, place) };
  } catch (error) {
    place.release();
    throw error;
  }
}

interface Started {
  actor: DeskContext['actor'];
  number: bigint;
  at: string;
}

/** Null when the person's present roles do not carry it. */
function recordExport(ctx: DeskContext, filter: AuditFilter, format: ExportFormat): Promise<Started | null> {
  return transaction(ctx.pool, ctx.context, async (tx) => {
    const { rows } = await tx.query<{ roles: string[]; tenants: string[]; at: string }>(
      `select roles, tenant_ids as tenants, ledger.instant(ledger.clock()) as at from review.held_actor()`,
    );
    const [now] = rows;
    if (now === undefined) return null;
    const actor = { ...ctx.actor, roles: now.roles.filter(isRole), tenantIds: now.tenants };
    if (!hasRoleFor(actor, 'audit.export')) return null;
    const names = Object.keys(ANY_AUDIT_EVENT) as (keyof AuditFilter)[];
    const filters = names.filter((name) => (filter[name] ?? '').length > 0);
    const number = await appendAudit(tx, {
      event: 'audit.exported',
      outcome: 'done',
      body: { format, filters },
    });
    return { actor, number: BigInt(number), at: now.at };
  });
}

function streamOf(chunks: AsyncGenerator<string>, place: ExportPlace): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        if (!place.isHeld()) throw new Error('the export took too long');
        const { value, done } = await chunks.next();
        if (done !== true) return controller.enqueue(encoder.encode(value));
        place.release();
        controller.close();
      } catch (error) {
        place.release();
        // The answer breaks off, and the file has no last line: nobody takes it for a whole one.
        controller.error(error);
      }
    },
    async cancel() {
      place.release();
      await chunks.return(undefined);
    },
  });
}
