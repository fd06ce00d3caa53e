// @ts-check
// Archives of retired events, read again in front of the log that stays.
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_START } from './follow-chain.mjs';
import { readLines } from './read-lines.mjs';
import { isEvent, parseLine, readHeader } from './export-form.mjs';
import { verifyExport } from './verify-export.mjs';

/**
 * @typedef {object} Archive
 * @property {string} file
 * @property {bigint} first
 * @property {bigint} last
 */

/** Events per batch. */
const BATCH = 1_000;

/** SHA-256 of a file, 64 lower-case hexadecimal digits. @param {string} file */
export async function sha256Of(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * The archives of a file or of all `.jsonl` files in a folder, in order of number.
 * @param {string} place
 */
export async function openArchives(place) {
  const files = statSync(place).isDirectory()
    ? readdirSync(place)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => path.join(place, name))
    : [place];
  const archives = await Promise.all(files.map(readArchive));
  if (archives.length === 0) throw new Error(`${place} holds no archive`);
  return new ArchivedEvents(archives.sort((a, b) => (a.first < b.first ? -1 : 1)));
}

/**
 * @param {string} file
 * @returns {Promise<Archive>}
 */
async function readArchive(file) {
  for await (const line of readLines(file)) {
    const header = readHeader(parseLine(line));
    if (header === null || header.archived === null) break;
    return { file, first: header.archived.first, last: header.archived.last };
  }
  throw new Error(`${file} is no archive of audit events`);
}

export class ArchivedEvents {
  /** @param {readonly Archive[]} archives in order of number */
  constructor(archives) {
    this.archives = archives;
  }

  /**
   * The point before the first archived event: the start of the log, or the anchor that it stands on.
   * @param {import('./retirements.mjs').RetirementWitness} witness
   * @returns {import('./follow-chain.mjs').ChainPoint}
   */
  begin({ retirements }) {
    const before = (this.archives[0]?.first ?? 1n) - 1n;
    const row = retirements.find(({ last }) => last === before);
    return before === 0n || row === undefined ? CHAIN_START : { number: row.last, hash: row.hash };
  }

  /** @returns {AsyncGenerator<import('./event-hash.mjs').AuditRecord[]>} */
  async *batches() {
    let batch = [];
    for (const { file } of this.archives) {
      for await (const line of readLines(file)) {
        const value = parseLine(line);
        if (value?.type !== 'event' || !isEvent(value)) continue;
        batch.push(value);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
    }
    yield batch;
  }

  /**
   * Each file by itself: what it says, and whether it is the one that the anchors name. Null when all are.
   * @param {readonly import('./retirements.mjs').Retirement[]} retirements
   * @param {readonly import('./key-ring.mjs').KnownKey[] | null} keys
   * @returns {Promise<{ file: string, found: import('./verify-export.mjs').ExportVerification } | null>}
   */
  async judge(retirements, keys) {
    for (const { file, first, last } of this.archives) {
      const found = await verifyExport(readLines(file), keys);
      if (found.kind !== 'verified') return { file, found };
      const row = retirements.find((each) => each.first === first && each.last === last);
      if (row === undefined || row.sha256 !== (await sha256Of(file)))
        return { file, found: { kind: 'broken', fault: { number: first, reason: 'ARCHIVE' } } };
    }
    return null;
  }
}
