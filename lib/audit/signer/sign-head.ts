import { sqlstateOf } from '@/lib/db/sqlstate';
import {
  checkpointDigest,
  FIRST_PREVIOUS,
  type CheckpointRecord,
  type SealedRange,
} from '../verifier/checkpoint.mjs';
import type { SignerAlarm } from './alarm';
import { dueRetirement } from './due-retirement';
import { judgeLog, type Judgement, type Signer } from './judge-head';
import { FileChangedError, type SignerState } from './signer-files';
import { signRecord, type SigningKey } from './signing-key';
import { sameHead, type Stop } from './stops';

export type Pass =
  /** `more`: the head lies further on. */
  | { kind: 'signed'; record: CheckpointRecord; more: boolean }
  /** Everything up to here is signed already. */
  | { kind: 'nothing-new'; number: bigint }
  | { kind: 'alarm'; alarm: SignerAlarm };

/** What a record says beyond the log's head. */
export interface KeyChange {
  type: 'rotation' | 'revocation' | 'retirement';
  newKey?: SigningKey;
  revokedKeyId?: string;
  revokedAt?: string;
  retired?: SealedRange;
}

/** Another checkpoint stands at this place in the database. */
const FORKED = 'OA004';

/**
 * Signs the head if it extends what was signed, and there is news or a change of keys, in as many records as the bound of their
 * trees asks for; the end of a partition comes first, in a pass of its own. Never signs anything else.
 */
export async function signHead(signer: Signer, change?: KeyChange): Promise<Pass> {
  const { db, files } = signer;
  try {
    let state = await files.check(files.readState());
    const judgement = await judgeLog(signer, state, change !== undefined);
    if (!judgement.ok) return await refuse(signer, judgement.alarm);
    state = await publish(signer, state);
    const more = change ?? (await retirement(signer, judgement));
    const stops = stopsOf(judgement, more);
    for (const stop of stops) {
      const isLast = stop === stops.at(-1);
      const record = nextRecord(signer, state, judgement, stop, isLast ? more : undefined);
      state = await publish(signer, files.append(state, record));
    }
    await db.query('select review.report_signer(null, null)');
    const head = judgement.head?.number ?? 0n;
    return state.last === null || stops.length === 0
      ? { kind: 'nothing-new', number: head }
      : { kind: 'signed', record: state.last, more: BigInt(state.last.number) < head };
  } catch (error) {
    if (error instanceof FileChangedError) return refuse(signer, { code: 'FILE_CHANGED', number: null });
    if (sqlstateOf(error) === FORKED) return refuse(signer, { code: 'FORKED', number: null });
    throw error;
  }
}

/** The database takes what it has not, which the file has already. */
async function publish({ db, files }: Signer, state: SignerState): Promise<SignerState> {
  for (const line of state.unpublished) await db.query('select review.publish_checkpoint($1)', [line]);
  return state.unpublished.length > 0 ? files.published(state) : state;
}

async function refuse({ db }: Signer, alarm: SignerAlarm): Promise<Pass> {
  await db.query('select review.report_signer($1, $2)', [alarm.code, alarm.number?.toString() ?? null]);
  return { kind: 'alarm', alarm };
}

/** Our word that old events may leave, where it is asked for and everything before is signed. */
async function retirement(
  signer: Signer,
  { head, stops, logId, at }: Extract<Judgement, { ok: true }>,
): Promise<KeyChange | undefined> {
  const end = stops.at(-1) ?? head;
  const retired =
    logId === null || end?.number !== head.number ? null : await dueRetirement(signer, logId, at);
  return retired === null ? undefined : { type: 'retirement', retired };
}

/** What is to be signed, one after the other; a change is signed over the head, whether or not there is news. */
function stopsOf(
  { head, stops }: Extract<Judgement, { ok: true }>,
  change: KeyChange | undefined,
): readonly Stop[] {
  return change !== undefined && head !== null && stops.length === 0 ? [sameHead(head)] : stops;
}

function nextRecord(
  { key }: Signer,
  { last }: SignerState,
  { logId, at }: Extract<Judgement, { ok: true }>,
  { number, hash, size, root }: Stop,
  change: KeyChange | undefined,
): CheckpointRecord {
  if (logId === null) throw new Error('bug: something to sign in an empty log');
  const since = last?.tree?.since ?? String(BigInt(last?.number ?? 0) + 1n);
  return signRecord(
    key,
    {
      type: change?.type ?? (last === null ? 'key' : 'checkpoint'),
      sequence: String(BigInt(last?.sequence ?? 0) + 1n),
      logId,
      number: number.toString(),
      hash,
      // Our clock may have been corrected by a little.
      signedAt: last !== null && last.signedAt > at ? last.signedAt : at,
      keyId: key.keyId,
      previous: last === null ? FIRST_PREVIOUS : checkpointDigest(last),
      newKey: change?.newKey?.publicKey ?? (last === null ? key.publicKey : null),
      revokedKeyId: change?.revokedKeyId ?? null,
      revokedAt: change?.revokedAt ?? null,
      ...(change?.retired ? { retired: change.retired } : {}),
      tree: { since, size, root },
    },
    change?.newKey,
  );
}
