import { createHash } from 'node:crypto';
import type { AuditRecord } from './audit-events';

/** The hash "before" event 1. */
export const GENESIS_HASH = '0'.repeat(64);

const DOMAIN = Buffer.from('onceover audit event v1\0', 'utf8');
const ABSENT = Buffer.of(0);

/**
 * The bytes under an event's hash: a domain separator, then each field in column order as absent (0) or
 * present (1, length in 4 bytes, bytes). No two different events have the same bytes.
 * The database's own implementation is `review.audit_hash`; both read the stored text and never write JSON anew.
 */
export function auditPreimage(record: Omit<AuditRecord, 'hash'>): Buffer {
  return Buffer.concat([
    DOMAIN,
    text(record.number),
    text(record.eventId),
    text(record.occurredAt),
    text(record.event),
    text(record.outcome),
    text(record.refusalCode),
    text(record.actorKind),
    text(record.actorId),
    text(record.actorName),
    present(Buffer.concat(record.actorRoles.map(text))),
    text(record.tenantId),
    text(record.exceptionId),
    text(record.executionId),
    text(record.approvalRequestId),
    text(record.operation),
    text(record.operationId),
    text(record.body),
    text(record.httpRequestId),
    text(record.sourceAddress),
    present(Buffer.from(record.previousHash, 'hex')),
  ]);
}

/** SHA-256 of the preimage, 64 lower-case hexadecimal digits. */
export function auditHash(record: Omit<AuditRecord, 'hash'>): string {
  return createHash('sha256').update(auditPreimage(record)).digest('hex');
}

function text(value: string | null): Buffer {
  return value === null ? ABSENT : present(Buffer.from(value, 'utf8'));
}

function present(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
