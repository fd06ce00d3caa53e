import type { Queryable } from '@/lib/db/pool';
import { readHead, readRecords } from '../audit-records';
import { readRetirements, type RetiredRange } from '../retirements';
import { readBatches, verifyChain } from '../verify-chain';
import { auditHash, type AuditRecord } from '../verifier/event-hash.mjs';
import { keyIdOf, type CheckpointRecord } from '../verifier/checkpoint.mjs';
import { CheckpointTrail } from '../verifier/checkpoint-trail.mjs';
import { CHAIN_START, type ChainPoint } from '../verifier/follow-chain.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { tellsOf } from '../verifier/retirements.mjs';
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
  /** `cut`: where a partition ends between the last signature and the head: to be signed first, and exactly. */
  | { ok: true; logId: string; head: ChainPoint; cut: ChainPoint | null }
  /** Nothing has been recorded yet. */
  | { ok: true; logId: null; head: null; cut: null }
  | { ok: false; alarm: SignerAlarm };

/** Whether the log may be signed up to its head: it must begin with all that was signed before. */
export async function judgeLog({ db, files, key }: Signer, state: SignerState): Promise<Judgement> {
  const { last } = state;
  files.checkEnd(state);
  if (last === null && (await hasCheckpoints(db))) return alarm('STATE_LOST');
  if (last !== null && keyAfter(last) !== key.keyId) return alarm('KEY_NOT_CURRENT');
  const { head, last: greatest } = await readHead(db);
  // In this order: events leave only after their anchor is there.
  const [first] = await readRecords(db, 0n, 1);
  const retirements = await readRetirements(db);
  const anchor = retirements.at(-1) ?? null;
  if (last === null && first === undefined && anchor === null && head?.number === 0n)
    return { ok: true, logId: null, head: null, cut: null };
  if (anchor !== null && !(await isTold(db, retirements))) return alarm('BROKEN', anchor.last);
  const begun = first === undefined ? undefined : logIdAt(first, retirements);
  if (begun === null) return alarm('REWRITTEN', (anchor?.last ?? 0n) + 1n);
  if (last !== null && begun !== undefined && begun !== last.logId) return alarm('OTHER_LOG', 1n);
  const from = last === null ? CHAIN_START : { number: BigInt(last.number), hash: last.hash };
  if (last !== null && !(await holds(db, from, anchor))) {
    const isShort = (head?.number ?? 0n) < from.number;
    return alarm(isShort ? 'TRUNCATED' : 'REWRITTEN', await locate(db, files));
  }
  const cut = await nextCut(db, from.number, head?.number ?? 0n);
  const batches = new Watched(readBatches(db, from, head?.number ?? greatest), cut);
  const found = await verifyLog({
    batches: batches.all(),
    head,
    last: greatest,
    from,
  });
  if (found.kind === 'broken') return alarm('BROKEN', found.fault.number);
  if (head === null || begun === undefined)
    throw new Error('bug: a verified log without a head or a first event');
  return { ok: true, logId: begun, head, cut: batches.seen };
}

/** Which log the first event that is there belongs to: its own hash as number 1, else its anchor's word; null when it follows none. */
function logIdAt(first: AuditRecord, retirements: readonly RetiredRange[]): string | null {
  const number = BigInt(first.number);
  if (number === 1n || retirements.length === 0) return first.hash;
  const row = retirements.find(({ last, hash }) => last + 1n === number && hash === first.previousHash);
  return row?.logId ?? null;
}

async function holds(
  db: Queryable,
  { number, hash }: ChainPoint,
  anchor: RetiredRange | null,
): Promise<boolean> {
  if (anchor?.last === number) return anchor.hash === hash;
  const [event] = await readRecords(db, number - 1n, 1);
  return event?.number === number.toString() && event.hash === hash;
}

/** Whether the chain itself tells of the anchor: a row alone must not stand for events that somebody took away. */
async function isTold(db: Queryable, retirements: readonly RetiredRange[]): Promise<boolean> {
  const [event] = await readRecords(db, (retirements.at(-1)?.eventNumber ?? 0n) - 1n, 1);
  return event !== undefined && auditHash(event) === event.hash && tellsOf(retirements, event);
}

/** The first end of a partition after what is signed; the head was read before, so that no later one is missed. */
async function nextCut(db: Queryable, after: bigint, head: bigint): Promise<bigint | null> {
  const { rows } = await db.query<{ cut: string | null }>(
    'select min(last_number)::text as cut from review.audit_cuts where last_number > $1 and last_number < $2',
    [after.toString(), head.toString()],
  );
  const cut = rows[0]?.cut ?? null;
  return cut === null ? null : BigInt(cut);
}

/** Events on their way to be verified; remembers the one with the number. */
class Watched {
  seen: ChainPoint | null = null;

  constructor(
    private readonly batches: AsyncIterable<readonly AuditRecord[]>,
    private readonly number: bigint | null,
  ) {}

  async *all(): AsyncGenerator<readonly AuditRecord[]> {
    for await (const batch of this.batches) {
      const event = batch.find(({ number }) => BigInt(number) === this.number);
      if (event !== undefined) this.seen = { number: BigInt(event.number), hash: event.hash };
      yield batch;
    }
  }
}

/** The first bad number by everything that was signed: a pass over the whole log. */
async function locate(db: Queryable, files: SignerFiles): Promise<bigint | null> {
  const openTrail = () => new CheckpointTrail({ lines: readLines(files.checkpoints), keys: null });
  const found = await verifyChain(db, { openTrail });
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
