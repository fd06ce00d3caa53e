// A log in memory, hashed and signed as the product does it, for tests of whoever verifies.
import {
  checkpointDigest,
  checkpointLine,
  FIRST_PREVIOUS,
  type CheckpointRecord,
} from '@/lib/audit/verifier/checkpoint.mjs';
import { auditHash, GENESIS_HASH } from '@/lib/audit/verifier/event-hash.mjs';
import { auditCommitment } from '@/lib/audit/verifier/texts.mjs';
import type { ChainPoint } from '@/lib/audit/verifier/follow-chain.mjs';
import { signRecord, type SigningKey } from '@/lib/audit/signer/signing-key';
import type { AuditRecord } from '@/lib/domain/audit-events';

export interface SignedLog {
  events: AuditRecord[];
  head: ChainPoint;
  /** Lines of the signer's file, without their ends. */
  lines: string[];
}

export interface EventContent {
  actorName: string;
  body: string;
  operation: string | null;
  actorRoles: string[];
  /** What a person wrote: beside the event, whose body commits to it and to nothing else. */
  written?: string | null;
}

/** Computes numbers, links and hashes of all events anew. */
export function rehash(events: readonly AuditRecord[]): AuditRecord[] {
  let previousHash = GENESIS_HASH;
  return events.map((event, index) => {
    const content = { ...event, number: String(index + 1), previousHash };
    previousHash = auditHash(content);
    return { ...content, hash: previousHash };
  });
}

const SALT = '5a'.repeat(32);

const committing = (written: string): Pick<AuditRecord, 'body' | 'texts'> => ({
  body: JSON.stringify({ commitments: { text: auditCommitment('text', SALT, written) } }),
  texts: { text: { value: written, salt: SALT } },
});

const eventOf = ({ actorName, body, operation, actorRoles, written }: EventContent): AuditRecord => ({
  number: '0',
  eventId: '0199aaaa-0000-7000-8000-000000000001',
  occurredAt: '2026-11-29T17:39:00.000001Z',
  event: 'exception.commented',
  outcome: 'done',
  refusalCode: null,
  actorKind: 'person',
  actorId: '0199aaaa-0000-7000-8000-00000000000a',
  actorName,
  actorRoles,
  tenantId: 'tenant-north',
  exceptionId: null,
  executionId: null,
  approvalRequestId: null,
  operation,
  operationId: null,
  ...(written == null ? { body } : committing(written)),
  httpRequestId: 'r',
  sourceAddress: null,
  previousHash: '',
  hash: '',
});

export const headOf = (events: readonly AuditRecord[]): ChainPoint => ({
  number: BigInt(events.at(-1)?.number ?? 0),
  hash: events.at(-1)?.hash ?? GENESIS_HASH,
});

/** Records of one key over the events with these numbers, in order. */
export function signNumbers(
  events: readonly AuditRecord[],
  numbers: readonly number[],
  key: SigningKey,
): CheckpointRecord[] {
  const records: CheckpointRecord[] = [];
  for (const number of numbers) {
    const before = records.at(-1);
    records.push(
      signRecord(key, {
        type: before === undefined ? 'key' : 'checkpoint',
        sequence: String(records.length + 1),
        logId: events[0]?.hash ?? '',
        number: String(number),
        hash: events[number - 1]?.hash ?? '',
        signedAt: `2026-11-29T18:00:00.${String(records.length).padStart(6, '0')}Z`,
        keyId: key.keyId,
        previous: before === undefined ? FIRST_PREVIOUS : checkpointDigest(before),
        newKey: before === undefined ? key.publicKey : null,
        revokedKeyId: null,
        revokedAt: null,
      }),
    );
  }
  return records;
}

export function signedLog(
  contents: readonly EventContent[],
  numbers: readonly number[],
  key: SigningKey,
): SignedLog {
  const events = rehash(contents.map(eventOf));
  return {
    events,
    head: headOf(events),
    lines: signNumbers(events, numbers, key).map((each) => checkpointLine(each).trimEnd()),
  };
}
