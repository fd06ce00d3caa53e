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
 * Signs the head if it extends what was signed, and there is news or a change of keys; the end of a partition comes first, in
 * a pass of its own. Never signs anything else.
 */
export async function signHead(signer: Signer, change?: KeyChange): Promise<Pass> {
  const { db, files } = signer;
  try {
    let state = await files.check(files.readState());
    const judgement = await judgeLog(signer, state);
    if (!judgement.ok) return await refuse(signer, judgement.alarm);
    const record = nextRecord(signer, state, judgement, change ?? (await retirement(signer, judgement)));
    if (record !== null) state = files.append(state, record);
    for (const line of state.unpublished) await db.query('select review.publish_checkpoint($1)', [line]);
    if (state.unpublished.length > 0) files.published(state);
    await db.query('select review.report_signer(null, null)');
    return record === null
      ? { kind: 'nothing-new', number: judgement.head?.number ?? 0n }
      : { kind: 'signed', record, more: BigInt(record.number) < (judgement.head?.number ?? 0n) };
  } catch (error) {
    if (error instanceof FileChangedError) return refuse(signer, { code: 'FILE_CHANGED', number: null });
    if (sqlstateOf(error) === FORKED) return refuse(signer, { code: 'FORKED', number: null });
    throw error;
  }
}

async function refuse({ db }: Signer, alarm: SignerAlarm): Promise<Pass> {
  await db.query('select review.report_signer($1, $2)', [alarm.code, alarm.number?.toString() ?? null]);
  return { kind: 'alarm', alarm };
}

/** Our word that old events may leave, where it is asked for and everything before is signed. */
async function retirement(
  signer: Signer,
  { cut, logId, at }: Extract<Judgement, { ok: true }>,
): Promise<KeyChange | undefined> {
  const retired = cut !== null || logId === null ? null : await dueRetirement(signer, logId, at);
  return retired === null ? undefined : { type: 'retirement', retired };
}

function nextRecord(
  { key }: Signer,
  { last }: SignerState,
  { head: end, logId, cut, at }: Extract<Judgement, { ok: true }>,
  change: KeyChange | undefined,
): CheckpointRecord | null {
  if (end === null) return null;
  // A change of keys is signed over its own event.
  const head = change === undefined ? (cut ?? end) : end;
  if (change === undefined && last !== null && BigInt(last.number) === head.number) return null;
  return signRecord(
    key,
    {
      type: change?.type ?? (last === null ? 'key' : 'checkpoint'),
      sequence: String(BigInt(last?.sequence ?? 0) + 1n),
      logId,
      number: head.number.toString(),
      hash: head.hash,
      // Our clock may have been corrected by a little.
      signedAt: last !== null && last.signedAt > at ? last.signedAt : at,
      keyId: key.keyId,
      previous: last === null ? FIRST_PREVIOUS : checkpointDigest(last),
      newKey: change?.newKey?.publicKey ?? (last === null ? key.publicKey : null),
      revokedKeyId: change?.revokedKeyId ?? null,
      revokedAt: change?.revokedAt ?? null,
      ...(change?.retired ? { retired: change.retired } : {}),
    },
    change?.newKey,
  );
}
