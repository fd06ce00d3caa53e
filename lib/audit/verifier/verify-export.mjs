// @ts-check
import { isCheckpoint } from './checkpoint.mjs';
import { isEvent, parseLine, readHeader } from './export-form.mjs';
import { Reading } from './export-reading.mjs';
import { KeyRing } from './key-ring.mjs';

/**
 * @typedef {{ kind: 'verified', proof: import('./export-reading.mjs').ExportProof }
 *   | { kind: 'broken', fault: import('./follow-chain.mjs').ChainFault }
 *   | { kind: 'distrusted', line: number, reason: import('./key-ring.mjs').KeyFaultReason | 'TREE' }
 *   | { kind: 'unreadable', line: number, reason: 'HEADER' | 'CSV' | 'FORM' | 'CUT' | 'ORDER' }} ExportVerification
 */

/** How the CSV of the same page begins: somebody took the wrong one of two files. */
const CSV_HEAD = /^\ufeff?"?number"?,/;

/**
 * Verifies an exported file (JSON Lines) from its own bytes.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @param {readonly import('./key-ring.mjs').KnownKey[] | null} keys null: the keys are believed as the file names them
 * @param {import('./checkpoint-trail.mjs').CheckpointTrail | null} [trail] published checkpoints to hold its events against as well
 * @returns {Promise<ExportVerification>}
 */
export async function verifyExport(lines, keys, trail = null) {
  /** @type {Reading | null} */
  let reading = null;
  const ring = new KeyRing(keys);
  let line = 0;
  let ended = false;
  for await (const each of lines) {
    line += 1;
    const value = parseLine(each);
    if (reading === null) {
      const header = readHeader(value);
      if (header === null)
        return { kind: 'unreadable', line, reason: CSV_HEAD.test(each) ? 'CSV' : 'HEADER' };
      reading = new Reading(header);
      continue;
    }
    if (value === null || ended) return { kind: 'unreadable', line, reason: 'FORM' };
    if (value.type === 'end') {
      if (value.events !== reading.events) return { kind: 'unreadable', line, reason: 'CUT' };
      ended = true;
    } else if (value.type === 'event') {
      if (!isEvent(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const fault = reading.take(value) ?? (await trail?.meet(reading.at)) ?? null;
      if (fault !== null) return { kind: 'broken', fault };
    } else {
      if (!isCheckpoint(value)) return { kind: 'unreadable', line, reason: 'FORM' };
      const reason = ring.take(value) ?? (reading.trees.follows(value, null) ? null : 'TREE');
      if (reason !== null) return { kind: 'distrusted', line, reason };
      const fault = reading.sign(value, line) ?? trail?.confirm(value) ?? null;
      if (fault !== null) return { kind: 'broken', fault };
    }
  }
  if (reading === null || !ended) return { kind: 'unreadable', line: line + 1, reason: 'CUT' };
  const { proof, fault, late } = reading.end();
  if (fault === 'CUT') return { kind: 'unreadable', line, reason: 'CUT' };
  if (fault !== null) return { kind: 'broken', fault };
  return late === null ? { kind: 'verified', proof } : { kind: 'unreadable', line: late, reason: 'ORDER' };
}
