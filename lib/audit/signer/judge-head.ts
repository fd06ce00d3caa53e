import type { Queryable } from '@/lib/db/pool';
import { readHead, readRecords } from '../audit-records';
import { readBatches, verifyChain } from '../verify-chain';
import { keyIdOf, type CheckpointRecord } from '../verifier/checkpoint.mjs';
import { CheckpointTrail } from '../verifier/checkpoint-trail.mjs';
import { CHAIN_START, type ChainPoint } from '../verifier/follow-chain.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { verifyLog } from '../verifier/verify-log.mjs';
import type { SignerAlarm } from './alarm';
import type { SignerFiles, SignerState } from './signer-files';
import type { SigningKey } from './signing-key';

export interface Signer {
  /** As the role onceover_signer. */
  db: Queryable;
  files: SignerFiles;
  key: SigningKey;
}

/** A head that extends what was signed, followed event by event; or why there is none. */
export type Judgement =
  | { ok: true; logId: string; head: ChainPoint }
  /** Nothing has been recorded yet. */
  | { ok: true; logId: null; head: null }
  | { ok: false; alarm: SignerAlarm };

/** Whether the log may be signed up to its head: it must begin with all that was signed before. */
export async function judgeLog({ db, files, key }: Signer, state: SignerState): Promise<Judgement> {
  const { last } = state;
  files.checkEnd(state);
  if (last === null && (await hasCheckpoints(db))) return alarm('STATE_LOST');
  if (last !== null && keyAfter(last) !== key.keyId) return alarm('KEY_NOT_CURRENT');
  const { head, last: greatest } = await readHead(db);
  const [first] = await readRecords(db, 0n, 1);
  if (last === null && first === undefined && head?.number === 0n)
    return { ok: true, logId: null, head: null };
  if (last !== null && first !== undefined && first.hash !== last.logId) return alarm('OTHER_LOG', 1n);
  const from = last === null ? CHAIN_START : { number: BigInt(last.number), hash: last.hash };
  if (last !== null && !(await holds(db, from))) {
    const isShort = (head?.number ?? 0n) < from.number;
    return alarm(isShort ? 'TRUNCATED' : 'REWRITTEN', await locate(db, files));
  }
  const found = await verifyLog({
    batches: readBatches(db, from, head?.number ?? greatest),
    head,
    last: greatest,
    from,
  });
  if (found.kind === 'broken') return alarm('BROKEN', found.fault.number);
  if (head === null || first === undefined)
    throw new Error('bug: a verified log without a head or a first event');
  return { ok: true, logId: first.hash, head };
}

async function holds(db: Queryable, { number, hash }: ChainPoint): Promise<boolean> {
  const [event] = await readRecords(db, number - 1n, 1);
  return event?.number === number.toString() && event.hash === hash;
}

/** The first bad number by everything that was signed: a pass over the whole log. */
async function locate(db: Queryable, files: SignerFiles): Promise<bigint | null> {
  const trail = new CheckpointTrail({ lines: readLines(files.checkpoints), keys: null });
  const found = await verifyChain(db, { trail });
  return found.kind === 'broken' ? found.fault.number : null;
}

async function hasCheckpoints(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select from review.audit_checkpoints limit 1');
  return rows.length > 0;
}

/** The key that signs after this record. */
export const keyAfter = (last: CheckpointRecord): string =>
  last.type === 'rotation' ? keyIdOf(Buffer.from(last.newKey ?? '', 'base64')) : last.keyId;

const alarm = (code: SignerAlarm['code'], number: bigint | null = null): Judgement => ({
  ok: false,
  alarm: { code, number },
});
