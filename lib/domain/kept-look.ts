import type { FieldComparison } from './compare-content';
import type { AuditRecord } from './audit-events';
import { memberOf, readAuditBody } from './audit-body';

/** One look at an outside system as its row keeps it: what was asked, and what was held against what. */
export interface KeptLook {
  readonly lookupId: string;
  /** Null: a person looked. */
  readonly connectorId: string | null;
  readonly connectorVersion: number | null;
  /** The address as sent, with references in place of secrets; null when nothing was sent. */
  readonly questionUrl: string | null;
  /** The account that the execution was aimed at, and the one in which something was found. */
  readonly accountAsked: string | null;
  readonly accountFound: string | null;
  readonly system: string | null;
  readonly resultId: string | null;
  readonly resultUrl: string | null;
  readonly comparison: readonly FieldComparison[];
  /** RFC 3339. */
  readonly checkedAt: string;
  /** Computed anew from the row. */
  readonly digest: string;
}

/** Whether the row is still what the chain recorded; what people wrote in it may have been erased since, on record. */
export type LookAgreement = 'AGREES' | 'ERASED' | 'DIFFERS';

/** Holds a look's row against the event that recorded it (R-086j). */
export function lookAgreement(look: KeptLook, recorded: Pick<AuditRecord, 'body' | 'texts'>): LookAgreement {
  if (memberOf(recorded, 'evidenceDigest') === look.digest) return 'AGREES';
  const { details } = readAuditBody(recorded.body, recorded.texts ?? null);
  return details.some(({ name }) => name === 'erased') ? 'ERASED' : 'DIFFERS';
}

/** How old the look was when the event was recorded, in milliseconds; never negative. */
export function ageThen(look: Pick<KeptLook, 'checkedAt'>, event: Pick<AuditRecord, 'occurredAt'>): number {
  return Math.max(0, Date.parse(event.occurredAt) - Date.parse(look.checkedAt));
}
