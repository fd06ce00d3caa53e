// Both implementations of the verification over one log in memory.
import type pg from 'pg';
import { CheckpointTrail } from '@/lib/audit/verifier/checkpoint-trail.mjs';
import { parseCheckpoint } from '@/lib/audit/verifier/checkpoint.mjs';
import { RetirementWitness } from '@/lib/audit/verifier/retirements.mjs';
import { TextLedger } from '@/lib/audit/verifier/texts.mjs';
import { Times } from '@/lib/audit/verifier/times.mjs';
import { verifyLog, type Verification } from '@/lib/audit/verifier/verify-log.mjs';
import type { SigningKey } from '@/lib/audit/signer/signing-key';
import type { AuditRecord } from '@/lib/domain/audit-events';
import { secondFirstBad, secondMisdated } from './second-verifier';
import { startOf, type SignedLog } from './signed-log';

/** Batches of three: what goes wrong at their borders shows as well. */
async function* inBatches(events: readonly AuditRecord[]): AsyncGenerator<readonly AuditRecord[]> {
  for (let index = 0; index <= events.length; index += 3) yield events.slice(index, index + 3);
}

export const verifyFirst = (log: SignedLog, { keyId, publicKey }: SigningKey): Promise<Verification> =>
  verifyLog({
    batches: inBatches(log.events),
    head: log.head,
    last: log.head.number,
    from: startOf(log),
    texts: new TextLedger(),
    times: new Times(),
    witness: new RetirementWitness(log.retirements ?? []),
    trail: new CheckpointTrail({ lines: log.lines, keys: [{ keyId, publicKey, revokedAt: null }] }),
  });

const checkpointsOf = ({ lines }: SignedLog) =>
  lines.flatMap((line) => {
    const record = parseCheckpoint(line);
    return record === null ? [] : [{ ...record, number: BigInt(record.number) }];
  });

export const verifySecond = (db: pg.Pool, log: SignedLog): Promise<bigint | null> =>
  secondFirstBad(db, {
    ...{ events: log.events, head: log.head, checkpoints: checkpointsOf(log) },
    ...{ retirements: log.retirements ?? [], whole: log.whole ?? false },
  });

export const misdatedSecond = (db: pg.Pool, log: SignedLog): Promise<bigint | null> =>
  secondMisdated(db, log.events, checkpointsOf(log));
