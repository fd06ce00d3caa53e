// @ts-check
import { readFileSync } from 'node:fs';
import { CheckpointTrail } from './checkpoint-trail.mjs';
import { readLines } from './read-lines.mjs';

/**
 * The checkpoints of a file as it is now; null without one.
 * @param {{ checkpoints?: string | undefined, keys?: string | undefined }} files
 */
export function openTrail({ checkpoints, keys }) {
  if (checkpoints === undefined) return null;
  return new CheckpointTrail({ lines: readLines(checkpoints), keys: readKeys(keys) });
}

/**
 * The public keys of a file; null without one.
 * @param {string | undefined} file
 * @returns {import('./key-ring.mjs').KnownKey[] | null}
 */
export function readKeys(file) {
  if (file === undefined) return null;
  const keys = JSON.parse(readFileSync(file, 'utf8'));
  const isKey = (/** @type {import('./key-ring.mjs').KnownKey} */ key) =>
    typeof key?.publicKey === 'string' && (key.revokedAt === null || typeof key.revokedAt === 'string');
  if (!Array.isArray(keys) || !keys.every(isKey)) throw new Error(`${file} is no list of public keys`);
  return keys;
}
