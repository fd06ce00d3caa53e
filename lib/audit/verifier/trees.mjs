// @ts-check
// What records say of the trees over their events: no record may cover other events than those since the one before it.
import { firstOf } from './checkpoint.mjs';
import { leafOf, RootFold } from './merkle.mjs';

/** @typedef {import('./checkpoint.mjs').CheckpointRecord} CheckpointRecord */

const ROOT_OF_NONE = new RootFold().root();

/** Follows records in order, and beside them the events, of which it holds one hash a level. */
export class Trees {
  /** @param {boolean} sparse some records are left out: each stands for itself */
  constructor(sparse) {
    this.sparse = sparse;
    /** @type {string | null} the first number that a tree covers, as the first record with one says; all later ones have to repeat it */
    this.since = null;
    /** The last record without a tree: what it signs lies before all that trees cover. */
    this.bare = 0n;
    this.fold = new RootFold();
    /** @type {CheckpointRecord | null} whose events are being folded */
    this.of = null;
  }

  /**
   * Whether the record has the tree that it must have. Once there was one, a record without is none that this signer made.
   * @param {CheckpointRecord} record
   * @param {CheckpointRecord | null} before
   */
  follows(record, before) {
    const { tree } = record;
    if (tree === undefined) {
      this.bare = BigInt(record.number);
      return this.since === null;
    }
    const first = firstOf({ ...record, tree });
    const next = BigInt(before?.number ?? 0) + 1n;
    const since = BigInt(this.since ?? (this.sparse ? tree.since : next));
    this.since ??= tree.since;
    if (BigInt(tree.since) !== since || since > first || since <= this.bare) return false;
    return (this.sparse || first === next) && (tree.size !== '0' || tree.root === ROOT_OF_NONE);
  }

  /**
   * @param {import('./follow-chain.mjs').ChainPoint} event
   * @param {CheckpointRecord} record the first one that reaches its number
   */
  take({ number, hash }, record) {
    const { tree } = record;
    if (tree === undefined) return;
    if (number === firstOf({ ...record, tree })) [this.fold, this.of] = [new RootFold(), record];
    if (this.of === record) this.fold.add(leafOf(number, hash));
  }

  /**
   * Whether its root is that of its events. Where a pass began in their midst, or left some out, only their hashes are compared.
   * @param {CheckpointRecord} record
   */
  agrees(record) {
    const isWhole = this.of === record && String(this.fold.size) === record.tree?.size;
    return !isWhole || this.fold.root() === record.tree?.root;
  }
}
