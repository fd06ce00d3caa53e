import 'server-only';
import { RECORD_COLUMNS } from '@/lib/audit/audit-records';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { auditTenantsOf, visibleWithoutTenant } from './audit-filter';
import { type ReadContext } from './read-context';
import { SqlParameters } from './sql-parameters';
import { ofStory } from './story-events';

export interface AuditStory {
  event: AuditRecord;
  /** The events of the same story, oldest first, this one among them. */
  story: AuditRecord[];
  /** Of the people whom the story names by their ids: as they were called in it, else as they are called now. */
  names: Readonly<Record<string, string>>;
}

/** Events of one story at most; longer ones are read in the list, filtered. */
const LONGEST_STORY = 200;

/** One event with the story that it belongs to; null when there is none that the actor may see. */
export async function getAuditEvent(ctx: ReadContext, number: bigint): Promise<AuditStory | null> {
  const $ = new SqlParameters();
  const wanted = $.add(number.toString(), 'bigint');
  const { rows } = await ctx.db.query<AuditRecord>(
    `select ${RECORD_COLUMNS} from review.audit_events e where e.number = ${wanted} and ${visible(ctx, $)}`,
    $.values,
  );
  const [event] = rows;
  if (!event) return null;
  const story = await readStory(ctx, event);
  return { event, story, names: await readNames(ctx, story) };
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Ids in the stored texts that are people's of the reader's own tenants, and everybody who acted. */
export async function readNames(
  ctx: ReadContext,
  story: readonly AuditRecord[],
): Promise<Record<string, string>> {
  const ids = [...new Set(story.flatMap(({ body }) => body.match(UUIDS) ?? []))];
  const { rows } = await ctx.db.query<{ id: string; name: string }>(
    `select person_id::text as id, display_name as name from review.people where person_id = any($1::uuid[]) and tenant_ids && $2::text[]`,
    [ids, auditTenantsOf(ctx.actor)],
  );
  const actors = story.filter(({ actorKind }) => actorKind === 'person');
  return Object.fromEntries([
    ...rows.map(({ id, name }) => [id, name] as const),
    ...actors.map(({ actorId, actorName }) => [actorId, actorName] as const),
  ]);
}

async function readStory(ctx: ReadContext, event: AuditRecord): Promise<AuditRecord[]> {
  const { exceptionId, executionId, approvalRequestId } = event;
  if (exceptionId === null && executionId === null && approvalRequestId === null) return [event];
  const $ = new SqlParameters();
  const { rows } = await ctx.db.query<AuditRecord>(
    `select ${RECORD_COLUMNS} from review.audit_events e
      where ${ofStory(event.number, $)} and ${visible(ctx, $)} order by e.number limit ${LONGEST_STORY}`,
    $.values,
  );
  return rows;
}

function visible(ctx: ReadContext, $: SqlParameters): string {
  const granted = $.add(auditTenantsOf(ctx.actor), 'text[]');
  return `(e.tenant_id = any(${granted}) or (e.tenant_id is null and ${visibleWithoutTenant(ctx.actor, $)}))`;
}
