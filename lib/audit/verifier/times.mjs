// @ts-check
// The times that events and checkpoints carry. Numbers order them; a time that contradicts its number is told.

/** Milliseconds that clocks may differ, and a corrected clock may go back, before anything is said. */
export const CLOCK_TOLERANCE_MS = 300_000;

/**
 * An event whose time cannot be right, with the time that it contradicts.
 * @typedef {object} Misdated
 * @property {bigint} number
 * @property {string} at
 * @property {string} against
 */

/** @param {string} one @param {string} other @returns whether one lies before the other by more than clocks may differ */
export const isBefore = (one, other) => !(Date.parse(one) + CLOCK_TOLERANCE_MS >= Date.parse(other));

/** Follows the times of events, in order of number. */
export class Times {
  /**
   * @param {string | null} earliest no event can be from before
   * @param {string | null} latest nor from after
   */
  constructor(earliest = null, latest = null) {
    this.before = earliest;
    this.latest = latest;
    /** @type {Misdated | null} the first */
    this.misdated = null;
  }

  /** @param {{ number: string, occurredAt: string }} event */
  take({ number, occurredAt: at }) {
    const { before, latest } = this;
    if (before !== null && isBefore(at, before))
      this.misdated ??= { number: BigInt(number), at, against: before };
    else if (latest !== null) this.signed(BigInt(number), at, latest);
    this.before = at;
  }

  /**
   * An event cannot be younger than its signature.
   * @param {bigint} number
   * @param {string} at
   * @param {string} signedAt
   */
  signed(number, at, signedAt) {
    if (isBefore(signedAt, at)) this.misdated ??= { number, at, against: signedAt };
  }
}
