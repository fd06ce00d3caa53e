import 'server-only';
import type { KeptLook } from '@/lib/domain/kept-look';
import type { ReadContext } from './read-context';

// By primary key. The tenant list is part of the question.
const LOOKS = `
  select l.lookup_id as "lookupId", l.connector_id as "connectorId", l.connector_version as "connectorVersion",
    l.question->>'url' as "questionUrl", l.subject_account as "accountAsked", l.target_account as "accountFound",
    l.target_system as system, l.result_id as "resultId", l.result_url as "resultUrl", l.comparison,
    ledger.instant(l.checked_at) as "checkedAt", review.evidence_digest(l) as digest
  from review.lookups l where l.lookup_id = any($1::uuid[]) and l.tenant_id = any($2::text[])`;

/** The rows of these looks, by their ids; those of other tenants are missing. */
export async function readKeptLooks(
  ctx: ReadContext,
  lookupIds: readonly string[],
): Promise<ReadonlyMap<string, KeptLook>> {
  if (lookupIds.length === 0) return new Map();
  const { rows } = await ctx.db.query<KeptLook & Record<string, unknown>>(LOOKS, [
    lookupIds,
    ctx.actor.tenantIds,
  ]);
  return new Map(rows.map((row) => [row.lookupId, row]));
}
