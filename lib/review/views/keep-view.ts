import 'server-only';
import { z } from 'zod';
import { recordDenied } from '@/lib/access/record-denied';
import { transaction } from '@/lib/db/transaction';
import type { CommandAnswer } from '@/lib/domain/command-answer';
import { isViewName, viewName } from '@/lib/domain/queue-view';
import { isRefusalCode, type RefusalCode } from '@/lib/domain/refusals';
import { safeParse } from '@/lib/domain/safe-parse';
import { outsideId } from '../command-input';
import type { DeskContext } from '../desk-context';

const KEPT = z.strictObject({
  viewId: z.uuid(),
  /** Of the view that the form stood on; null: a new one. */
  version: z.int().min(1).nullable(),
  name: z.string().max(300).transform(viewName).refine(isViewName),
  address: z.string().max(4_000),
  tenantIds: z.array(outsideId).max(200),
});

const REMOVED = z.strictObject({ viewId: z.uuid(), version: z.int().min(1) });

/** What is kept of an address, with the tenants that it names; or the parameters that say something that does not exist. */
export type ReadAddress =
  | { kind: 'read'; address: string; tenants: readonly string[] }
  | { kind: 'misread'; names: readonly string[] };

interface SqlAnswer {
  outcome: 'done' | 'refused';
  repeated?: boolean;
  code?: string;
}

/**
 * R-053 Saves filters, order and grouping under a name, for the actor alone or for tenants of theirs. What is saved is
 * what the queue's page reads of the address, and an address that it would refuse is refused by the names at fault. A saved
 * setting and no act: it is no event of the audit.
 */
export async function keepView(
  ctx: DeskContext,
  raw: unknown,
  readAddress: (address: string) => ReadAddress,
): Promise<CommandAnswer> {
  const parsed = safeParse(KEPT, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  const read = readAddress(parsed.data.address);
  if (read.kind === 'misread') return { outcome: 'refused', code: 'INVALID_INPUT', faults: read.names };
  const { tenantIds } = parsed.data;
  // Whoever it is shared with would read the name of a tenant that is none of theirs.
  if (tenantIds.length > 0 && read.tenants.some((tenant) => !tenantIds.includes(tenant)))
    return { outcome: 'refused', code: 'VIEW_NAMES_OTHER_TENANT' };
  return inDatabase(ctx, 'queue-view.keep', 'select review.keep_queue_view($1::jsonb) as answer', [
    JSON.stringify({ ...parsed.data, address: read.address }),
  ]);
}

/** R-053 Takes a view away: its owner's, or a shared one an administrator's. The filters stay where they were: in the address. */
export async function removeView(ctx: DeskContext, raw: unknown): Promise<CommandAnswer> {
  const parsed = safeParse(REMOVED, raw);
  if (!parsed.success) return { outcome: 'refused', code: 'INVALID_INPUT' };
  const { viewId, version } = parsed.data;
  return inDatabase(
    ctx,
    'queue-view.remove',
    'select review.remove_queue_view($1::uuid, $2::integer) as answer',
    [viewId, version],
  );
}

/** Whose a view is not, or who may not share with a tenant: refused, and on record like everything that somebody may not. */
const DENIED: readonly RefusalCode[] = [
  ...(['NOT_FOUND', 'NOT_YOUR_VIEW', 'VIEW_OF_OTHER_TENANTS', 'TENANT_NOT_GRANTED'] as const),
];

async function inDatabase(
  ctx: DeskContext,
  act: 'queue-view.keep' | 'queue-view.remove',
  statement: string,
  values: readonly unknown[],
): Promise<CommandAnswer> {
  const { rows } = await transaction(ctx.pool, ctx.context, (tx) =>
    tx.query<{ answer: SqlAnswer }>(statement, [...values]),
  );
  const answer = rows[0]?.answer;
  if (answer?.outcome === 'done') return { outcome: 'done', repeated: answer.repeated === true };
  const { code } = answer ?? {};
  if (!isRefusalCode(code)) throw new Error('bug: a refusal that has no words');
  if (DENIED.includes(code)) await recordDenied(ctx.pool, ctx.context, { act, reason: code });
  return { outcome: 'refused', code };
}
