import type { AuditRecord } from './audit-events';

/** What stands around one event of a story, for a reader who was not there. */
export interface AuditContext {
  /** The request that the event answers or carries out. */
  readonly request: AuditRecord | null;
  /** The look on which it stands: its own, else its request's. */
  readonly evidence: AuditRecord | null;
  /** What was recorded later, oldest first. */
  readonly after: readonly AuditRecord[];
}

/** Reads an event's context out of its story: the audit alone tells it, whatever has become of the ledger since. */
export function auditContext(event: AuditRecord, story: readonly AuditRecord[]): AuditContext {
  const number = BigInt(event.number);
  const before = story.filter((other) => BigInt(other.number) < number);
  const request =
    event.approvalRequestId === null
      ? null
      : (before.find(
          (other) => other.approvalRequestId === event.approvalRequestId && other.outcome === 'done',
        ) ?? null);
  const evidenceId = member(event, 'evidenceId') ?? (request && member(request, 'evidenceId'));
  const evidence =
    evidenceId === null ? null : (before.find((other) => member(other, 'lookupId') === evidenceId) ?? null);
  return { request, evidence, after: story.filter((other) => BigInt(other.number) > number) };
}

function member({ body }: AuditRecord, name: string): string | null {
  try {
    const value = (JSON.parse(body) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
