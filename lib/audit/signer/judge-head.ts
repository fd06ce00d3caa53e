import type { Queryable } from '@/lib/db/pool';
import { readHead, readRecords } from '../audit-records';
import { readRetirements, type RetiredRange } from '../retirements';
import { readBatches, verifyChain } from '../verify-chain';
import { auditHash, type AuditRecord } from '../verifier/event-hash.mjs';
import { keyIdOf, type CheckpointRecord } from '../verifier/checkpoint.mjs';
import { CheckpointTrail } from '../verifier/checkpoint-trail.mjs';
import { isBefore, Times } from '../verifier/times.mjs';
import { CHAIN_START, type ChainPoint } from '../verifier/follow-chain.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { tellsOf } from '../verifier/retirements.mjs';
import { verifyLog } from '../verifier/verify-log.mjs';
import type { SignerAlarm } from './alarm';
import { firstUnsealed } from './due-retirement';
import type { SignerFiles, SignerState } from './signer-files';
import type { SigningKey } from './signing-key';
import { Stops, type Stop } from './stops';

export interface Signer {
  /** As the role onceover_signer. */
  db: Queryable;
  files: SignerFiles;
  key: SigningKey;
  /** Our own clock, in the form that is signed: what the database says the time is, its owner may say. */
  now?: () => string | Promise<string>;
  /** Somebody has looked at events whose times contradict each other: they are signed all the same. */
  acceptTimes?: boolean;
}

const ownClock = (): string => new Date().toISOString().replace(/Z$/, '000Z');

/** A head that extends what was signed, followed event by event; or why there is none. */
export type Judgement =
  /** `stops`: what is to be signed, up to the head unless a partition ends before it: that comes first, and exactly. */
  | { ok: true; logId: string; head: ChainPoint; stops: readonly Stop[]; at: string }
  /** Nothing has been recorded yet. */
  | { ok: true; logId: null; head: null; stops: readonly []; at: string }
  | { ok: false; alarm: SignerAlarm };

/**
 * Whether the log may be signed up to its head: it must begin with all that was signed before.
 * @param pastCuts a change of keys is signed over its own event: the ends of partitions before it have been signed
 */
export async function judgeLog(signer: Signer, state: SignerState, pastCuts: boolean): Promise<Judgement> {
  const { db, files, key } = signer;
  const { last } = state;
  // Before the head: what is recorded later carries a later time.
  const at = await (signer.now ?? ownClock)();
  if (last === null && (await hasCheckpoints(db))) return alarm('STATE_LOST');
  if (last !== null && keyAfter(last) !== key.keyId) return alarm('KEY_NOT_CURRENT');
  const { head, last: greatest } = await readHead(db);
  // In this order: events leave only after their anchor is there.
  const [first] = await readRecords(db, 0n, 1);
  const retirements = await readRetirements(db);
  const anchor = retirements.at(-1) ?? null;
  if (last === null && first === undefined && anchor === null && head?.number === 0n)
    return { ok: true, logId: null, head: null, stops: [], at };
  if (anchor !== null && !(await isTold(db, retirements))) return alarm('BROKEN', anchor.last);
  const unsealed = await firstUnsealed(files, state, retirements);
  if (unsealed !== null) return alarm('BROKEN', unsealed.last);
  const begun = first === undefined ? undefined : logIdAt(first, retirements);
  if (begun === null) return alarm('REWRITTEN', (anchor?.last ?? 0n) + 1n);
  if (last !== null && begun !== undefined && begun !== last.logId) return alarm('OTHER_LOG', 1n);
  const from = last === null ? CHAIN_START : { number: BigInt(last.number), hash: last.hash };
  if (last !== null && !(await holds(db, from, anchor))) {
    const isShort = (head?.number ?? 0n) < from.number;
    return alarm(isShort ? 'TRUNCATED' : 'REWRITTEN', await locate(db, files));
  }
  const cut = pastCuts ? null : await nextCut(db, from.number, head?.number ?? 0n);
  const stops = new Stops(cut ?? head?.number ?? 0n);
  const times = new Times(last?.signedAt ?? null, at);
  const found = await verifyLog({
    batches: stops.watch(readBatches(db, from, head?.number ?? greatest)),
    head,
    last: greatest,
    from,
    times,
  });
  if (found.kind === 'broken') return alarm('BROKEN', found.fault.number);
  if (!(await agreeOnTime(db, at, last))) return alarm('CLOCK');
  if (times.misdated !== null && signer.acceptTimes !== true) return alarm('CLOCK', times.misdated.number);
  if (head === null || begun === undefined)
    throw new Error('bug: a verified log without a head or a first event');
  return { ok: true, logId: begun, head, stops: stops.found, at };
}

/** Whether our clock, the database's and our last signature can all be right. */
async function agreeOnTime(db: Queryable, at: string, last: CheckpointRecord | null): Promise<boolean> {
  const { rows } = await db.query<{ at: string }>(
    `select to_char(ledger.clock() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  );
  const theirs = rows[0]?.at ?? '';
  return !isBefore(theirs, at) && !isBefore(at, theirs) && (last === null || !isBefore(at, last.signedAt));
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
