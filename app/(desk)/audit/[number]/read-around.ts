import { signedBy } from '@/lib/audit/signed-by';
import { memberOf } from '@/lib/domain/audit-body';
import { missingGrounds } from '@/lib/domain/audit-grounds';
import { auditContext, lookEventsOf } from '@/lib/domain/audit-story';
import { type AuditStory } from '@/lib/review/get-audit-event';
import { listTenants } from '@/lib/review/list-tenants';
import { readAskedConflict } from '@/lib/review/read-arrivals';
import { readArrivalsBetween } from '@/lib/review/read-arrivals-between';
import { readAskedTerms } from '@/lib/review/read-asked-terms';
import { type ReadContext } from '@/lib/review/read-context';
import { readKeptLooks } from '@/lib/review/read-kept-looks';
import { readLedgerSince } from '@/lib/review/read-ledger-since';

/** Everything that an event's page tells besides the event: what stands around it in the audit, and what is read from records. */
export async function readAround(ctx: ReadContext, { event, story }: AuditStory) {
  const context = auditContext(event, story);
  const { approvalRequestId, executionId } = event;
  const lookupIds = [event, context.shown, context.evidence].flatMap(
    (each) => (each && memberOf(each, 'lookupId')) || [],
  );
  const [tenants, since, looks, checkpoint, conflict, terms] = await Promise.all([
    listTenants(ctx),
    readLedgerSince(ctx, event),
    readKeptLooks(ctx, lookupIds),
    signedBy(event.number, ctx.db),
    approvalRequestId === null ? null : readAskedConflict(ctx.db, approvalRequestId, ctx.actor.tenantIds),
    approvalRequestId === null ? null : readAskedTerms(ctx, approvalRequestId),
  ]);
  const shownLook = looks.get(memberOf(event, 'shownEvidenceId') ?? '');
  const arrivals =
    executionId === null || shownLook === undefined
      ? null
      : await readArrivalsBetween(ctx, executionId, [shownLook.checkedAt, event.occurredAt]);
  return {
    ...{ context, since, looks, checkpoint, terms, tenants },
    grounds: missingGrounds(event, context.request),
    look: looks.get(memberOf(event, 'lookupId') ?? ''),
    lookEvents: lookEventsOf(story),
    shown: { conflict, arrivals },
  };
}
