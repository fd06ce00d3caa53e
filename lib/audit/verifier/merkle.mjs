// @ts-check
// The Merkle tree of RFC 9162 (2.1) over the events that one checkpoint covers: an event is proven by the hashes beside its way up.
import { createHash } from 'node:crypto';

/** A record covers no more events than this, so that whoever makes a proof reads no more. */
export const MOST_LEAVES = 4096;

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const HASH = /^[0-9a-f]{64}$/;

/** @param {readonly Uint8Array[]} parts */
function sha256(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * The leaf of an event: its number in eight bytes, and its hash in the chain.
 * @param {bigint} number
 * @param {string} hash
 */
export function leafOf(number, hash) {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(number);
  return sha256([LEAF, place, Buffer.from(hash, 'hex')]);
}

/** @param {Uint8Array} left @param {Uint8Array} right */
export const nodeOf = (left, right) => sha256([NODE, left, right]);

/** The root over leaves, one after the other; holds one hash a level. */
export class RootFold {
  constructor() {
    this.size = 0;
    /** @type {{ level: number, hash: Buffer }[]} whole subtrees, the largest first */
    this.whole = [];
  }

  /** @param {Buffer} leaf */
  add(leaf) {
    this.size += 1;
    let grown = { level: 0, hash: leaf };
    for (let left = this.whole.at(-1); left?.level === grown.level; left = this.whole.at(-1)) {
      grown = { level: grown.level + 1, hash: nodeOf(left.hash, grown.hash) };
      this.whole.pop();
    }
    this.whole.push(grown);
  }

  /** 64 lower-case hexadecimal digits. */
  root() {
    const hashes = this.whole.map(({ hash }) => hash);
    const last = hashes.pop() ?? sha256([]);
    return hashes.reduceRight((right, left) => nodeOf(left, right), last).toString('hex');
  }
}

/**
 * The root that a leaf leads to (RFC 9162, 2.1.3.2); null where a tree of this size has no such way.
 * @param {Buffer} leaf
 * @param {{ index: number, size: number, path: readonly string[] }} way
 */
export function rootAbove(leaf, { index, size, path }) {
  if (index < 0 || index >= size || !path.every((each) => HASH.test(each))) return null;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const each of path) {
    if (last === 0) return null;
    const beside = Buffer.from(each, 'hex');
    if (at % 2 === 1 || at === last) {
      hash = nodeOf(beside, hash);
      // The last one of a level has nothing on its right, and goes up alone until it has something on its left.
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = nodeOf(hash, beside);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash.toString('hex') : null;
}
