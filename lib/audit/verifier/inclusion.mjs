// @ts-check
// The way from an event to a signed root, past events that are not in the file.
import { leafOf, rootAbove } from './merkle.mjs';

/**
 * @typedef {object} Inclusion
 * @property {string} checkpoint number that the record signs, decimal digits
 * @property {string} index of the event among those that the record covers, from 0
 * @property {string} size how many these are
 * @property {readonly string[]} path the hashes beside the way, from the leaf up
 */

const NUMBER = /^[1-9]\d{0,18}$/;
const PLACE = /^(0|[1-9]\d{0,3})$/;
const MEMBERS = /** @type {const} */ (['checkpoint', 'index', 'size', 'path']);

/**
 * @param {unknown} value
 * @returns {value is Inclusion | null}
 */
export function isInclusion(value) {
  if (value === null) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const { checkpoint, index, size, path } = /** @type {Record<string, unknown>} */ (value);
  const isPlace = (/** @type {unknown} */ member) => typeof member === 'string' && PLACE.test(member);
  return (
    Object.keys(/** @type {object} */ (value)).length === MEMBERS.length &&
    typeof checkpoint === 'string' &&
    NUMBER.test(checkpoint) &&
    [index, size].every(isPlace) &&
    Array.isArray(path) &&
    path.every((each) => typeof each === 'string')
  );
}

/** Holds what events say leads them to a record until it comes, right behind the last of them; one record at a time. */
export class Ways {
  constructor() {
    /** Events that a signed root proves. */
    this.proven = 0;
    /**
     * Of the record to come: its number, and who first named which root. No more than two: of these one is wrong.
     * @type {{ checkpoint: bigint, events: number, first: bigint, roots: Map<string, bigint> } | null}
     */
    this.open = null;
  }

  /**
   * @param {import('./follow-chain.mjs').ChainPoint} event
   * @param {Inclusion} inclusion
   * @returns {bigint | null} the number that is not proven
   */
  take({ number, hash }, { checkpoint, index, size, path }) {
    const last = BigInt(checkpoint);
    const isPlaced = number <= last && number === last - BigInt(size) + 1n + BigInt(index);
    const root = rootAbove(leafOf(number, hash), { index: Number(index), size: Number(size), path });
    if (!isPlaced || root === null) return number;
    if (this.open !== null && this.open.checkpoint !== last) return this.open.first;
    this.open ??= { checkpoint: last, events: 0, first: number, roots: new Map() };
    this.open.events += 1;
    const { roots } = this.open;
    const named = `${size} ${root}`;
    if (!roots.has(named) && roots.size < 2) roots.set(named, number);
    return null;
  }

  /**
   * @param {import('./checkpoint.mjs').CheckpointRecord} record
   * @returns {{ unproven: bigint | null, proves: boolean }}
   */
  meet({ number, tree }) {
    const { open } = this;
    if (open === null || BigInt(number) < open.checkpoint) return { unproven: null, proves: false };
    if (BigInt(number) > open.checkpoint || tree === undefined)
      return { unproven: open.first, proves: false };
    const wrong = [...open.roots].find(([named]) => named !== `${tree.size} ${tree.root}`);
    if (wrong !== undefined) return { unproven: wrong[1], proves: false };
    this.open = null;
    this.proven += open.events;
    return { unproven: null, proves: true };
  }

  /** After the last line. @returns {bigint | null} the first number whose record never came */
  end() {
    return this.open?.first ?? null;
  }
}
