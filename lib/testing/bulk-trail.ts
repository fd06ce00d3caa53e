// A valid chain of any length, made as fast as it can be hashed and far from any person: for tests and benchmarks of size.
import { auditHash, GENESIS_HASH } from '@/lib/audit/verifier/event-hash.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';
import type pg from 'pg';

/** Events per statement. */
const BATCH = 2_000;

const WORDS =
  'Seen in the payment service, order by order; nothing arrived there, and the customer waits for an answer. ';

function contentOf(number: number, previousHash: string, sentences: number): Omit<AuditRecord, 'hash'> {
  return {
    number: String(number),
    eventId: `0199aaaa-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
    occurredAt: `2026-11-29T17:39:00.${String(number % 1_000_000).padStart(6, '0')}Z`,
    event: 'exception.commented',
    outcome: 'done',
    refusalCode: null,
    actorKind: 'person',
    actorId: '0199aaaa-0000-7000-8000-00000000000a',
    actorName: 'Somebody',
    actorRoles: ['OPERATOR', 'APPROVER'],
    tenantId: 'tenant-north',
    exceptionId: '0199aaaa-0000-7000-8000-00000000000b',
    executionId: null,
    approvalRequestId: null,
    operation: 'create-payment',
    operationId: null,
    body: JSON.stringify({ text: WORDS.repeat(sentences), number }),
    httpRequestId: 'bulk',
    sourceAddress: null,
    previousHash,
  };
}

/** The events 1 to `count`, in batches: never all of them at once. Each sentence has about a hundred characters. */
export function* bulkEvents(count: number, sentences = 3): Generator<AuditRecord[]> {
  let previousHash = GENESIS_HASH;
  for (let from = 1; from <= count; from += BATCH) {
    const batch: AuditRecord[] = [];
    for (let number = from; number < from + BATCH && number <= count; number += 1) {
      const content = contentOf(number, previousHash, sentences);
      previousHash = auditHash(content);
      batch.push({ ...content, hash: previousHash });
    }
    yield batch;
  }
}

const INSERT = `insert into review.audit_events
  select (e->>'number')::bigint, (e->>'eventId')::uuid, (e->>'occurredAt')::timestamptz, e->>'event', e->>'outcome', e->>'refusalCode',
    e->>'actorKind', e->>'actorId', e->>'actorName', array(select jsonb_array_elements_text(e->'actorRoles')), e->>'tenantId',
    (e->>'exceptionId')::uuid, (e->>'executionId')::uuid, (e->>'approvalRequestId')::uuid, e->>'operation', (e->>'operationId')::uuid,
    e->>'body', e->>'httpRequestId', e->>'sourceAddress', decode(e->>'previousHash', 'hex'), decode(e->>'hash', 'hex')
  from jsonb_array_elements($1::jsonb) e`;

/** Fills an empty log, head included; as a superuser, since nobody else could. */
export async function insertBulk(superuser: pg.Pool, count: number, sentences?: number): Promise<void> {
  await superuser.query('alter table review.audit_head disable trigger user');
  let last: AuditRecord | undefined;
  for (const batch of bulkEvents(count, sentences)) {
    await superuser.query(INSERT, [JSON.stringify(batch)]);
    last = batch.at(-1);
  }
  await superuser.query(`update review.audit_head set number = $1, hash = decode($2, 'hex')`, [
    last?.number,
    last?.hash,
  ]);
  await superuser.query('alter table review.audit_head enable always trigger audit_head_stays');
  await superuser.query('alter table review.audit_head enable always trigger audit_head_only_moves_on');
}
