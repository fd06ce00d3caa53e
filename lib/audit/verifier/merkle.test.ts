import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditPath, entryOf, treeHash } from '@/lib/testing/merkle-reference';
import { levelsOver, pathFrom } from '../inclusion-proofs';
import { leafOf, nodeOf, RootFold, rootAbove } from './merkle.mjs';

const eventAt = (at: number, salt: number) => ({
  number: String(at + 1),
  hash: treeHash([Buffer.from(`${salt} ${at}`)]).toString('hex'),
});
/** A tree and one of its leaves. */
const trees = fc
  .tuple(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(1_000))
  .map(([size, place, salt]) => {
    const events = Array.from({ length: size }, (_, at) => eventAt(at, salt));
    const leaves = events.map(({ number, hash }) => leafOf(BigInt(number), hash));
    const entries = events.map(entryOf);
    const index = place % size;
    const path = auditPath(index, entries).map((hash) => hash.toString('hex'));
    return { size, index, path, leaves, entries, root: treeHash(entries).toString('hex') };
  });

describe('a tree over events', () => {
  it('R-087ac has the root and the ways of RFC 9162, however it is computed', () => {
    fc.assert(
      fc.property(trees, ({ size, index, path, leaves, root }) => {
        const fold = new RootFold();
        for (const leaf of leaves) fold.add(leaf);
        expect(fold.root()).toBe(root);
        // One hash a level.
        expect(fold.whole.length).toBeLessThanOrEqual(Math.log2(size) + 1);
        expect(pathFrom(levelsOver(leaves), index)).toEqual(path);
        expect(rootAbove(leaves[index]!, { index, size, path })).toBe(root);
      }),
      { numRuns: 200 },
    );
    expect(new RootFold().root()).toBe(treeHash([]).toString('hex'));
  });

  it('R-087ac AU-10 no other leaf, place, size or way leads to its root', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), ({ size, index, path, leaves, root }, pick, other) => {
        const leaf = leaves[index]!;
        const leads = (to: Partial<{ index: number; size: number; path: string[] }>, from = leaf) =>
          rootAbove(from, { index, size, path, ...to }) === root;
        expect(leads({}, leafOf(BigInt(index + 2), 'a'.repeat(64)))).toBe(false);
        for (const at of [index + 1, index - 1, other % size, -1, size])
          if (at !== index) expect(leads({ index: at })).toBe(false);
        expect(leads({ path: [...path, root] })).toBe(false);
        expect(leads({ path: path.map((each) => each.toUpperCase()), index: index + size })).toBe(false);
        if (path.length === 0) return;
        const at = pick % path.length;
        expect(leads({ path: path.toSpliced(at, 1) })).toBe(false);
        expect(leads({ path: path.with(at, root) })).toBe(false);
        expect(leads({ path: path.with(at, 'no hash') })).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('R-087ac a node is no leaf: neither its bytes nor its place pass for an event', () => {
    const [one, two] = [0, 1].map((at) => eventAt(at, 7)) as [Event, Event];
    const node = nodeOf(leafOf(1n, one.hash), leafOf(2n, two.hash));
    // As a tree without prefixes would have it, both halves of a node are an event's entry.
    expect(leafOf(1n, node.toString('hex')).equals(node)).toBe(false);
    expect(treeHash([Buffer.concat([leafOf(1n, one.hash), leafOf(2n, two.hash)])]).equals(node)).toBe(false);
    expect(leafOf(1n, one.hash).equals(leafOf(2n, one.hash))).toBe(false);
  });
});

type Event = ReturnType<typeof eventAt>;
