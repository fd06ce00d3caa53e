import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@/lib/db/pool';
import { isTransient } from '@/lib/db/sqlstate';
import { transaction, type Transaction, type TransactionContext } from '@/lib/db/transaction';
import { readRetirements } from '../retirements';
import { verifyChain } from '../verify-chain';
import { sha256Of } from '../verifier/archives.mjs';
import { CheckpointTrail } from '../verifier/checkpoint-trail.mjs';
import { CHAIN_START } from '../verifier/follow-chain.mjs';
import type { KnownKey } from '../verifier/key-ring.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { reportExport, reportLog } from '../verifier/report.mjs';
import { verifyExport } from '../verifier/verify-export.mjs';
import { writeArchive, type ArchivedRange } from './write-archive';

export interface RetireNeeds {
  owner: Pool;
  context: TransactionContext;
  /** The signer's published file. */
  checkpoints: string;
  keys: readonly KnownKey[] | null;
  /** Where archives are written. */
  folder: string;
  /** The end of a partition; the latest that is due unless given. */
  upTo: bigint | null;
  /** Milliseconds to wait for the signer's word; ten minutes unless given. */
  signerMs?: number;
}

export type Retirement =
  | { outcome: 'done'; first: bigint; last: bigint; file: string; sha256: string; event: bigint }
  | { outcome: 'nothing-due' }
  /** Another run is at it. */
  | { outcome: 'busy' }
  /** On record. `holders`: what still needs some of the events. */
  | {
      outcome: 'refused';
      code: 'NOT_CUT' | 'TOO_YOUNG' | 'NOT_SIGNED' | 'LEGAL_HOLD';
      holders: readonly string[];
    }
  /** Something does not verify, and nothing was dropped. */
  | { outcome: 'unproven'; text: string };

/** One at a time, over all machines. */
const RETIRE_LOCK = 7_203_110_004;
/** Days; the open partition is cut when its first event is older, so that monthly runs make monthly partitions. */
const PARTITION_DAYS = 27;

/** Cuts the open partition, and moves everything up to the last cut that is old enough into an archive. */
export async function retireAudit(needs: RetireNeeds): Promise<Retirement> {
  const client = await needs.owner.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      RETIRE_LOCK,
    ]);
    if (rows[0]?.held !== true) return { outcome: 'busy' };
    return await retireAlone(needs);
  } finally {
    // Should this not arrive, the connection's end gives the lock back.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    client.release(true);
  }
}

async function retireAlone(needs: RetireNeeds): Promise<Retirement> {
  const { owner, upTo } = needs;
  await patiently(needs, (tx) => tx.query('select review.cut_audit($1)', [PARTITION_DAYS]));
  const { rows } = await owner.query<{ due: string | null }>('select review.due_audit_cut()::text as due');
  const last = upTo?.toString() ?? rows[0]?.due ?? null;
  if (last === null) return { outcome: 'nothing-due' };
  const judged = await patiently(needs, (tx) =>
    ask(tx, 'select review.judge_retirement($1) as answer', [last]),
  );
  if (judged.outcome === 'refused') return refusal(judged);
  const before = (await readRetirements(owner)).at(-1);
  const range: ArchivedRange = {
    before: before === undefined ? CHAIN_START : { number: before.last, hash: before.hash },
    last: BigInt(last),
    logId: judged.logId ?? '',
  };
  return archiveAndDrop(needs, range);
}

async function archiveAndDrop(needs: RetireNeeds, range: ArchivedRange): Promise<Retirement> {
  const { owner, checkpoints, folder } = needs;
  const first = range.before.number + 1n;
  const name = `onceover-audit-${first}-${range.last}.jsonl`;
  const file = path.join(folder, name);
  fs.mkdirSync(folder, { recursive: true });
  const whole = await verifyChain(owner, { openTrail: () => trailOf(needs) });
  if (whole.kind !== 'verified') return { outcome: 'unproven', text: reportLog(whole).text };
  const part = `${file}.part`;
  const texts = await writeArchive(owner, range, checkpoints, part);
  const fault = await faultOf(needs, part, range);
  if (fault !== null) return { outcome: 'unproven', text: fault };
  if (fs.existsSync(file) && (await faultOf(needs, file, range)) !== null)
    return { outcome: 'unproven', text: `${file} is there and holds something else: move it away.` };
  fs.renameSync(part, file);
  syncFolder(folder);
  const sha256 = await sha256Of(file);
  const unsealed = await awaitSeal(needs, range, name, sha256);
  if (unsealed !== null) return { outcome: 'unproven', text: unsealed };
  const answer = await patiently(needs, (tx) =>
    ask(tx, `select review.retire_audit($1, $2, decode($3, 'hex'), $4) as answer`, [
      range.last.toString(),
      name,
      sha256,
      texts.toString(),
    ]),
  );
  if (answer.outcome === 'refused') return refusal(answer);
  return { outcome: 'done', first, last: range.last, file, sha256, event: BigInt(answer.event ?? 0) };
}

const trailOf = ({ checkpoints, keys }: RetireNeeds) =>
  new CheckpointTrail({ lines: readLines(checkpoints), keys });

/** Why the file is not the archive of exactly these events, each of them signed; null when it is. */
async function faultOf(needs: RetireNeeds, file: string, range: ArchivedRange): Promise<string | null> {
  const trail = trailOf(needs);
  const found = await verifyExport(readLines(file), needs.keys, trail);
  if (found.kind !== 'verified') return reportExport(found).text;
  const { archived, first, last, events, signed } = found.proof;
  const isWhole = archived && first === range.before.number + 1n && last === range.last && signed === events;
  const isPublished = trail.fault === null && trail.agreed?.number === range.last;
  if (isWhole && isPublished) return null;
  return `The archive of events ${range.before.number + 1n} to ${range.last} is not signed to its end by the checkpoints in ${needs.checkpoints}.`;
}

/** Milliseconds; the signer looks every 15 seconds, and makes the archive once more. */
const SIGNER_MS = 600_000;

/** Asks for the signer's word and waits for it; why it did not come, or null when the published file holds it. */
async function awaitSeal(
  needs: RetireNeeds,
  { before, last }: ArchivedRange,
  archive: string,
  sha256: string,
): Promise<string | null> {
  const { owner, signerMs = SIGNER_MS } = needs;
  const first = before.number + 1n;
  const values = [last.toString(), archive, sha256];
  await owner.query(`select review.propose_retirement($4, $1, $2, decode($3, 'hex'))`, [
    ...values,
    first.toString(),
  ]);
  for (const until = performance.now() + signerMs; ;) {
    const { rows } = await owner.query<{ signed: boolean; hash: string }>(
      `select review.is_retirement_signed(number, $2, decode($3, 'hex')) as signed, encode(hash, 'hex') as hash
         from review.audit_events where number = $1`,
      values,
    );
    if (rows[0]?.signed === true) {
      const trail = trailOf(needs);
      trail.seals.watch([last]);
      await trail.finish();
      const range = { first, last, hash: rows[0].hash, archive, sha256 };
      if (trail.fault === null && trail.seals.holds(range)) return null;
      return `${needs.checkpoints} does not hold the signer's word that these events may leave.`;
    }
    if (performance.now() > until)
      return `The signer has not signed that events ${first} to ${last} may leave: it must run, and have signed number ${last} as long ago as the audit keeps its events. Repeat this later; the archive is kept.`;
    await sleep(SEAL_LOOK_MS);
  }
}

/** Milliseconds between two looks for the signer's word. */
const SEAL_LOOK_MS = 100;

interface Answer {
  outcome: 'due' | 'done' | 'refused';
  code?: Extract<Retirement, { outcome: 'refused' }>['code'];
  holders?: string[];
  logId?: string;
  event?: string;
}

async function ask(tx: Transaction, sql: string, values: readonly unknown[]): Promise<Answer> {
  const { rows } = await tx.query<{ answer: Answer }>(sql, values);
  if (rows[0] === undefined) throw new Error('bug: no answer');
  return rows[0].answer;
}

function refusal({ code, holders = [] }: Answer): Retirement {
  if (code === undefined) throw new Error('bug: a refusal without a code');
  return { outcome: 'refused', code, holders };
}

/** Milliseconds for one try to get the table: below the writers' own limit, so that they never give way to us. */
const LOCK_MS = 1_500;
/** Milliseconds that the work itself may take once it has them; the writers wait as long. */
const WORK_MS = 60_000;
/** Milliseconds until we give up. */
const PATIENCE_MS = 120_000;

/** In a transaction that takes its locks at once or lets everybody else go first, again and again. */
async function patiently<T>(
  { owner, context }: RetireNeeds,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await transaction(
        owner,
        context,
        async (tx) => {
          await tx.query(
            `select set_config('lock_timeout', '${LOCK_MS}ms', true), set_config('statement_timeout', '${WORK_MS}ms', true)`,
          );
          return work(tx);
        },
        { attempts: 1, limitMs: WORK_MS },
      );
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error;
      await sleep(100 + Math.random() * 300);
    }
  }
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
