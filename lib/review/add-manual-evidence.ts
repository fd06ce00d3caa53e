import 'server-only';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { safeParse } from '@/lib/domain/safe-parse';
import { manualEvidenceSchema, recordManualEvidence } from '@/lib/lookup/manual-evidence';
import { auditRefusal } from './audit-refusal';
import type { DeskContext } from './desk-context';
import { answering } from './run-command';

/** R-062 What a person saw in the outside system: where, what, and the link to it. */
export async function addManualEvidence(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(manualEvidenceSchema, raw);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => issue.path.join('.')).slice(0, 20);
    await auditRefusal(ctx, 'evidence.recorded', 'INVALID_INPUT', {}, { faults });
    return { outcome: 'refused', code: 'INVALID_INPUT', faults };
  }
  return answering(ctx, 'evidence.recorded', parsed.data, async () => {
    const recorded = await recordManualEvidence(ctx.pool, ctx.context, parsed.data);
    if (recorded.outcome === 'done') {
      const { repeated = false, filedEarlier = false } = recorded;
      return { outcome: 'done', repeated, ...(filedEarlier && { filedEarlier }) };
    }
    return recorded.code === 'HOLDS_SECRET'
      ? { outcome: 'refused', code: 'SECRET_IN_TEXT', secrets: recorded.secrets }
      : { outcome: 'refused', code: recorded.code };
  });
}
