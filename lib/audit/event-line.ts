import type { AuditRecord } from '@/lib/domain/audit-events';
import type { Inclusion } from './verifier/inclusion.mjs';

/** The members of an event as columns, in the order in which they are hashed. */
export const EVENT_COLUMNS = [
  'number',
  'eventId',
  'occurredAt',
  'event',
  'outcome',
  'refusalCode',
  'actorKind',
  'actorId',
  'actorName',
  'actorRoles',
  'tenantId',
  'exceptionId',
  'executionId',
  'approvalRequestId',
  'operation',
  'operationId',
  'body',
  'httpRequestId',
  'sourceAddress',
  'previousHash',
  'hash',
] as const satisfies (keyof AuditRecord)[];

/** One line of JSON. */
export const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`;

/**
 * An event in a file that verifies from its own bytes.
 * @param inclusion its way to the root that proves it; null where nothing has signed one, left out where every event is there
 */
export const eventLine = (event: AuditRecord, inclusion?: Inclusion | null): string =>
  jsonLine({
    type: 'event',
    ...Object.fromEntries(EVENT_COLUMNS.map((name) => [name, event[name]])),
    texts: event.texts ?? null,
    ...(inclusion === undefined ? {} : { inclusion }),
  });
