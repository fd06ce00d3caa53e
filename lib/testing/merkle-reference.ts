// The Merkle tree as RFC 9162 defines it, by recursion and without care for speed: what the product's own is held against.
import { createHash } from 'node:crypto';
import type { SignedTree } from '@/lib/audit/verifier/checkpoint.mjs';
import type { AuditRecord } from '@/lib/domain/audit-events';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The largest power of two below a size. */
const split = (size: number) => 2 ** Math.floor(Math.log2(size - 1));

/** 2.1.1; entries are not hashed yet. */
export function treeHash(entries: readonly Buffer[]): Buffer {
  const [only] = entries;
  if (only === undefined) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), only);
  const at = split(entries.length);
  return sha256(Buffer.of(1), treeHash(entries.slice(0, at)), treeHash(entries.slice(at)));
}

/** 2.1.3.1 */
export function auditPath(index: number, entries: readonly Buffer[]): Buffer[] {
  if (entries.length <= 1) return [];
  const at = split(entries.length);
  const [left, right] = [entries.slice(0, at), entries.slice(at)];
  return index < at
    ? [...auditPath(index, left), treeHash(right)]
    : [...auditPath(index - at, right), treeHash(left)];
}

/** What a leaf is about: the event's number in eight bytes, and its hash. */
export const entryOf = ({ number, hash }: Pick<AuditRecord, 'number' | 'hash'>): Buffer =>
  Buffer.from(BigInt(number).toString(16).padStart(16, '0') + hash, 'hex');

/** The tree that a record over these numbers has to sign. */
export function treeOf(
  events: readonly AuditRecord[],
  after: number,
  upTo: number,
  since: number,
): SignedTree {
  const covered = events.slice(after, upTo).map(entryOf);
  return {
    since: String(since),
    size: String(covered.length),
    root: treeHash(covered).toString('hex'),
  };
}
