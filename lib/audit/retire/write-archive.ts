import fs from 'node:fs';
import type { Queryable } from '@/lib/db/pool';
import { readRecords } from '../audit-records';
import { eventLine, jsonLine } from '../event-line';
import { parseCheckpoint } from '../verifier/checkpoint.mjs';
import type { ChainPoint } from '../verifier/follow-chain.mjs';
import { readLines } from '../verifier/read-lines.mjs';
import { EXPORT_FORMAT } from '../verifier/export-form.mjs';

/** The events that one archive holds: all after `before`, up to the end of a partition. */
export interface ArchivedRange {
  before: ChainPoint;
  last: bigint;
  logId: string;
}

const ABOUT =
  'Events that have left the audit, each exactly what is hashed, up to a signed one; npm run audit:verify -- --export FILE checks ' +
  'this file, and -- --archive FOLDER all archives together with the log.';

/** Events per statement. */
const BATCH = 1_000;

interface Signed {
  number: bigint;
  line: string;
}

/**
 * Writes the archive whole and to the disk. The same events and texts give the same bytes, however often it is written.
 * @returns how many texts it holds
 */
export async function writeArchive(
  db: Queryable,
  { before, last, logId }: ArchivedRange,
  checkpoints: string,
  file: string,
): Promise<bigint> {
  const signed = await signedLines(checkpoints, before.number, last);
  const handle = fs.openSync(file, 'w', 0o600);
  let texts = 0n;
  try {
    const first = before.number + 1n;
    fs.writeSync(
      handle,
      jsonLine({
        type: 'export',
        format: EXPORT_FORMAT,
        archive: { first: first.toString(), last: last.toString(), logId },
        after: before.number === 0n ? null : { number: before.number.toString(), hash: before.hash },
        about: ABOUT,
      }),
    );
    const signedUpTo = (number: bigint) =>
      signed.splice(0, signed.filter((each) => each.number <= number).length).map(({ line }) => `${line}\n`);
    let after = before.number;
    while (after < last) {
      const events = (await readRecords(db, after, BATCH)).filter(({ number }) => BigInt(number) <= last);
      const end = events.at(-1);
      if (end === undefined) throw new Error(`event ${after + 1n} is missing`);
      const lines = events.flatMap((event) => [
        ...signedUpTo(BigInt(event.number) - 1n),
        eventLine(event),
        ...signedUpTo(BigInt(event.number)),
      ]);
      fs.writeSync(handle, lines.join(''));
      texts += events.reduce((sum, event) => sum + BigInt(Object.keys(event.texts ?? {}).length), 0n);
      after = BigInt(end.number);
    }
    fs.writeSync(handle, jsonLine({ type: 'end', events: Number(last - before.number) }));
    fs.fsyncSync(handle);
    return texts;
  } finally {
    fs.closeSync(handle);
  }
}

/** Of the published checkpoints: each change of keys, and those of both ends. */
async function signedLines(checkpoints: string, before: bigint, last: bigint): Promise<Signed[]> {
  const lines: Signed[] = [];
  for await (const line of readLines(checkpoints)) {
    const record = parseCheckpoint(line);
    if (record === null) throw new Error(`${checkpoints} holds a line that is no checkpoint`);
    const number = BigInt(record.number);
    if (number > last) break;
    if (record.type !== 'checkpoint' || number === last || number === before) lines.push({ number, line });
  }
  return lines;
}
