import { MINUTE } from './spans';

/** Milliseconds without anything from which a pause is drawn broken: it gets the same room however long it was. */
const SILENCE = 5 * MINUTE;
/** Room of a broken pause, in the unit of `roomOf`. */
const BROKEN = 5;
/** Milliseconds that take one unit of room; each doubling takes one more, so that a burst stays legible beside minutes. */
const UNIT = 250;

/** A pause that is drawn shorter than it was. */
export interface Silence {
  readonly from: number;
  readonly to: number;
  readonly milliseconds: number;
}

export interface TimeAxis {
  /** Where an instant lies, 0 to 1. Instants between two that the axis was made of lie between them. */
  readonly placeOf: (instant: number) => number;
  readonly silences: readonly Silence[];
  /** Where something begins again: the first instant, and each one after a silence. */
  readonly begins: readonly { readonly x: number; readonly instant: number }[];
  /** How much there is to show, in units of room: what a drawing takes its least width from. */
  readonly room: number;
}

const roomOf = (gap: number) => (gap >= SILENCE ? BROKEN : Math.log2(1 + gap / UNIT));

/** An axis on which later never lies before earlier, and in which no pause crowds out what happened around it. */
export function timeAxis(instants: readonly number[]): TimeAxis {
  const points = [...new Set(instants)].sort((a, b) => a - b);
  const reached = [0];
  for (const [at, point] of points.entries())
    if (at > 0) reached.push((reached[at - 1] ?? 0) + roomOf(point - (points[at - 1] ?? point)));
  const room = reached[points.length - 1] ?? 0;
  const xAt = (index: number) => (room === 0 ? 0 : (reached[index] ?? 0) / room);
  const isSilence = (index: number) => index > 0 && points[index]! - points[index - 1]! >= SILENCE;
  const indices = [...points.keys()];
  return {
    placeOf: (instant) => {
      const next = points.findIndex((point) => point >= instant);
      if (next === -1) return points.length === 0 ? 0 : xAt(points.length - 1);
      const before = points[next - 1];
      if (points[next] === instant || before === undefined) return xAt(next);
      const share = (instant - before) / (points[next]! - before);
      return xAt(next - 1) + share * (xAt(next) - xAt(next - 1));
    },
    silences: indices.filter(isSilence).map((index) => ({
      from: xAt(index - 1),
      to: xAt(index),
      milliseconds: points[index]! - points[index - 1]!,
    })),
    begins: indices
      .filter((index) => index === 0 || isSilence(index))
      .map((index) => ({ x: xAt(index), instant: points[index]! })),
    room,
  };
}
