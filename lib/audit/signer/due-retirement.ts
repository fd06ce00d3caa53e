import fs from 'node:fs';
import path from 'node:path';
import type { Queryable } from '@/lib/db/pool';
import { readRecords } from '../audit-records';
import { writeArchive } from '../retire/write-archive';
import { readRetirements } from '../retirements';
import { sha256Of } from '../verifier/archives.mjs';
import { parseCheckpoint, type CheckpointRecord, type SealedRange } from '../verifier/checkpoint.mjs';
import { CHAIN_START } from '../verifier/follow-chain.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { isOldEnough, isSealOf, type RetiredArchive } from '../verifier/seals.mjs';
import type { SignerFiles, SignerState } from './signer-files';

interface Proposal extends Required<RetiredArchive> {
  keepDays: string;
}

/**
 * The range that the owner proposes to retire, if it may leave: its end is what we signed, long enough ago by our own
 * times, and its archive is byte for byte what the events make. Null when there is none, or we gave our word already.
 */
export async function dueRetirement(
  { db, files }: { db: Queryable; files: SignerFiles },
  logId: string,
  now: string,
): Promise<SealedRange | null> {
  const before = (await readRetirements(db)).at(-1);
  const proposal = await readProposal(db, before?.last ?? 0n);
  if (proposal === null || proposal.first !== (before?.last ?? 0n) + 1n) return null;
  const [event] = await readRecords(db, proposal.last - 1n, 1);
  if (event?.number !== proposal.last.toString() || event.hash !== proposal.hash) return null;
  let end: CheckpointRecord | null = null;
  for await (const line of readLines(files.checkpoints)) {
    const record = parseCheckpoint(line);
    if (record === null) return null;
    if (isSealOf(record, proposal)) return null;
    if (record.number === event.number && record.hash === event.hash) end ??= record;
  }
  if (end === null || !isOldEnough(end.signedAt, now, proposal.keepDays)) return null;
  const draft = path.join(files.folder, 'audit-retirement.part');
  const start = before === undefined ? CHAIN_START : { number: before.last, hash: before.hash };
  await writeArchive(db, { before: start, last: proposal.last, logId }, files.checkpoints, draft);
  const sha256 = await sha256Of(draft);
  fs.rmSync(draft);
  if (sha256 !== proposal.sha256) return null;
  const { first, last, hash, archive, keepDays } = proposal;
  return { first: first.toString(), last: last.toString(), hash, archive, sha256, keepDays };
}

async function readProposal(db: Queryable, after: bigint): Promise<Proposal | null> {
  const { rows } = await db.query<Record<keyof Proposal, string>>(
    `select p.first_number::text as first, p.last_number::text as last, encode(p.hash, 'hex') as hash, p.archive,
       encode(p.sha256, 'hex') as sha256, r.keep_days::text as "keepDays"
     from review.audit_retirement_proposals p cross join review.audit_retention r
     where p.last_number > $1 order by p.proposal_id desc limit 1`,
    [after.toString()],
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, first: BigInt(row.first), last: BigInt(row.last) };
}

/** The first range that has left without our word, by what we remember and else by our file. */
export async function firstUnsealed(
  files: SignerFiles,
  { sealed = [] }: SignerState,
  ranges: readonly RetiredArchive[],
): Promise<RetiredArchive | null> {
  const open = new Set(ranges.filter((range) => !sealed.some((retired) => isSealOf({ retired }, range))));
  if (open.size === 0) return null;
  for await (const line of readLines(files.checkpoints)) {
    const record = parseCheckpoint(line);
    if (record?.type !== 'retirement') continue;
    for (const range of open) if (isSealOf(record, range)) open.delete(range);
  }
  const [first] = open;
  return first ?? null;
}
