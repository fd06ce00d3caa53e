import { memberOf, readAuditBody } from './audit-body';
import type { AuditRecord } from './audit-events';
import type { OriginalEffect } from './reissue-exposure';

type Told = Pick<AuditRecord, 'event' | 'outcome' | 'body' | 'texts'>;

/** Events by which people settle something, or ask or answer for it. */
const DECIDING =
  /^(?:decision\.|reissue\.(?:requested|approved|rejected|executed)$|confirmation\.rejected$|break_glass\.)/;

/** Why a decision's page says nothing about its reason or evidence: there was none, and nothing was left out. */
export interface MissingGrounds {
  /** Nobody was asked for a reason, or gave one. An erased reason was given. */
  readonly noReason: boolean;
  /** Neither it nor its request stands on a look at the outside system. */
  readonly noLook: boolean;
}

/** Whether people settled something in it, or asked or answered for it, and it came about. */
export const isDecision = ({ event, outcome }: Pick<Told, 'event' | 'outcome'>): boolean =>
  outcome === 'done' && DECIDING.test(event);

export function missingGrounds(event: Told, request: Told | null): MissingGrounds {
  if (!isDecision(event)) return { noReason: false, noLook: false };
  const { rationale, details } = readAuditBody(event.body, event.texts ?? null);
  const written = ['rationale', 'reason'];
  const erased = details.some(
    ({ name, values }) => name === 'erased' && values.some((each) => written.includes(each)),
  );
  return {
    noReason: rationale === null && !erased && !details.some(({ name }) => name === 'reason'),
    noLook: ![event, request].some((each) => each !== null && memberOf(each, 'evidenceId') !== null),
  };
}

const EFFECTS: readonly string[] = ['EXISTS', 'MAY_EXIST', 'NONE_KNOWN'] satisfies OriginalEffect[];

/** What an event says of the original's effect, which is the ledger's word: no look was made for it. */
export function originalEffectOf({ body }: Told): OriginalEffect | null {
  const said = readAuditBody(body).details.find(({ name }) => name === 'originalEffect')?.values[0];
  return said !== undefined && EFFECTS.includes(said) ? (said as OriginalEffect) : null;
}

/** The version of the execution as a request found it; null where the event does not tell. */
export function snapshotVersion({ body, texts }: Pick<Told, 'body' | 'texts'>): string | null {
  const { changes } = readAuditBody(body, texts ?? null);
  return changes.find(({ name }) => name === 'version')?.before[0] ?? null;
}

/** Whether an act of people took a second one: by a request's policy, or not at all; null for what settles nothing (R-088s). */
export function secondPersonOf({
  event,
  outcome,
  approvalRequestId,
}: Pick<AuditRecord, 'event' | 'outcome' | 'approvalRequestId'>): 'NOT_NEEDED' | 'BY_POLICY' | null {
  if (!isDecision({ event, outcome })) return null;
  // In an emergency the policy’s people were passed over: the event’s own name tells so.
  if (event.startsWith('break_glass.')) return null;
  return approvalRequestId === null ? 'NOT_NEEDED' : 'BY_POLICY';
}
