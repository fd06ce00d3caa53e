// @ts-check
import { createHash } from 'node:crypto';
import { digits, present, text } from './fields.mjs';

/**
 * One event as exported: every value in the text form that is hashed.
 * @typedef {object} AuditRecord
 * @property {string} number decimal digits; dense from 1
 * @property {string} eventId
 * @property {string} occurredAt UTC with microseconds, `2026-11-29T17:39:00.000000Z`
 * @property {string} event
 * @property {string} outcome
 * @property {string | null} refusalCode
 * @property {string} actorKind
 * @property {string} actorId
 * @property {string} actorName
 * @property {readonly string[]} actorRoles
 * @property {string | null} tenantId
 * @property {string | null} exceptionId
 * @property {string | null} executionId
 * @property {string | null} approvalRequestId
 * @property {string | null} operation
 * @property {string | null} operationId
 * @property {string} body JSON text as stored
 * @property {string} httpRequestId
 * @property {string | null} sourceAddress
 * @property {string} previousHash 64 lower-case hexadecimal digits; all zero for number 1
 * @property {string} hash
 * @property {import('./texts.mjs').AuditTexts | null} [texts] not hashed: the body commits to them
 * @property {import('./inclusion.mjs').Inclusion | null} [inclusion] not hashed: in an export, the way to the root that proves it
 */

/** The hash "before" event 1. */
export const GENESIS_HASH = '0'.repeat(64);

const DOMAIN = Buffer.from('onceover audit event v1\0', 'utf8');

/**
 * The bytes under an event's hash: a domain separator, then each field in column order. The database's own implementation
 * is `review.audit_hash`; both read the stored text and never write JSON anew.
 * @param {Omit<AuditRecord, 'hash'>} record
 */
export function auditPreimage(record) {
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
    digits(record.previousHash),
  ]);
}

/**
 * SHA-256 of the preimage, 64 lower-case hexadecimal digits.
 * @param {Omit<AuditRecord, 'hash'>} record
 */
export function auditHash(record) {
  return createHash('sha256').update(auditPreimage(record)).digest('hex');
}
