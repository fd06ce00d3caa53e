// A log in memory, hashed and signed as the product does it, for tests of whoever verifies.
import {
  checkpointDigest,
  checkpointLine,
  FIRST_PREVIOUS,
  type CheckpointRecord,
} from '@/lib/audit/verifier/checkpoint.mjs';
import { auditHash } from '@/lib/audit/verifier/event-hash.mjs';
import { auditCommitment } from '@/lib/audit/verifier/texts.mjs';
import { CHAIN_START, type ChainPoint } from '@/lib/audit/verifier/follow-chain.mjs';
import type { Retirement } from '@/lib/audit/verifier/retirements.mjs';
import { signRecord, type SigningKey } from '@/lib/audit/signer/signing-key';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { treeOf } from './merkle-reference';

export interface SignedLog {
  events: AuditRecord[];
  head: ChainPoint;
  /** Lines of the signer's file, without their ends. */
  lines: string[];
  /** What has left the log; the events begin after the last of them unless they are `whole` all the same, from archives. */
  retirements?: Retirement[];
  whole?: boolean;
}

export interface EventContent {
  actorName: string;
  body: string;
  operation: string | null;
  actorRoles: string[];
  /** What a person wrote: beside the event, whose body commits to it and to nothing else. */
  written?: string | null;
}

/** After which the events of a log begin. */
export function startOf({ retirements = [], whole = false }: Partial<SignedLog>): ChainPoint {
  const anchor = retirements.at(-1);
  return whole || anchor === undefined ? CHAIN_START : { number: anchor.last, hash: anchor.hash };
}

/** Computes numbers, links and hashes of all events anew. */
export function rehash(events: readonly AuditRecord[], from: ChainPoint = CHAIN_START): AuditRecord[] {
  let previousHash = from.hash;
  return events.map((event, index) => {
    const content = { ...event, number: String(from.number + BigInt(index + 1)), previousHash };
    previousHash = auditHash(content);
    return { ...content, hash: previousHash };
  });
}

const SALT = '5a'.repeat(32);

const committing = (written: string): Pick<AuditRecord, 'body' | 'texts'> => ({
  body: JSON.stringify({ commitments: { text: auditCommitment('text', SALT, written) } }),
  texts: { text: { value: written, salt: SALT } },
});

export const eventOf = ({ actorName, body, operation, actorRoles, written }: EventContent): AuditRecord => ({
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

export function headOf(events: readonly AuditRecord[], start: ChainPoint = CHAIN_START): ChainPoint {
  const last = events.at(-1);
  return last === undefined ? start : { number: BigInt(last.number), hash: last.hash };
}

/**
 * Records of one key over the events with these numbers, in order.
 * @param bare how many of them are from before there were trees; all unless given
 */
export function signNumbers(
  events: readonly AuditRecord[],
  numbers: readonly number[],
  key: SigningKey,
  bare = numbers.length,
): CheckpointRecord[] {
  const records: CheckpointRecord[] = [];
  const since = (numbers[bare - 1] ?? 0) + 1;
  for (const number of numbers) {
    const before = records.at(-1);
    const isBare = records.length < bare;
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
        ...(isBare ? {} : { tree: treeOf(events, Number(before?.number ?? 0), number, since) }),
      }),
    );
  }
  return records;
}

export function signedLog(
  contents: readonly EventContent[],
  numbers: readonly number[],
  key: SigningKey,
  bare = numbers.length,
): SignedLog {
  const events = rehash(contents.map(eventOf));
  return {
    events,
    head: headOf(events),
    lines: signNumbers(events, numbers, key, bare).map((each) => checkpointLine(each).trimEnd()),
  };
}
