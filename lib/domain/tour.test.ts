import { describe, expect, it } from 'vitest';
import { afterStop, isOffered, isOnPage, NEW_TOUR, resumed, stopAt, TOUR_STOPS } from './tour';

describe('the tour', () => {
  it('R-097l leads from the queue over an exception, its evidence and its decision to the audit, and ends there', () => {
    const walked = [0, 1, 2, 3, 4].map((place) => [stopAt(place), afterStop(place)]);
    expect(walked).toEqual([
      ['QUEUE', { state: 'RUNNING', place: 1 }],
      ['EXCEPTION', { state: 'RUNNING', place: 2 }],
      ['EVIDENCE', { state: 'RUNNING', place: 3 }],
      ['DECISION', { state: 'RUNNING', place: 4 }],
      ['AUDIT', { state: 'DONE', place: 0 }],
    ]);
  });

  it('R-097l is offered on invented data alone, and never to whoever began or declined it', () => {
    expect(isOffered(NEW_TOUR, true)).toBe(true);
    expect(isOffered(NEW_TOUR, false)).toBe(false);
    for (const state of ['RUNNING', 'LEFT', 'DONE'] as const)
      expect(isOffered({ state, place: 2 }, true)).toBe(false);
  });

  it('R-097l goes on where it was left, and after its end from the start', () => {
    expect(resumed({ state: 'LEFT', place: 3 })).toEqual({ state: 'RUNNING', place: 3 });
    expect(resumed({ state: 'DONE', place: 3 })).toEqual({ state: 'RUNNING', place: 0 });
    expect(resumed(NEW_TOUR)).toEqual({ state: 'RUNNING', place: 0 });
  });

  it('R-097l knows on which page each stop is', () => {
    const on = (pathname: string) => TOUR_STOPS.filter((stop) => isOnPage(stop, pathname));
    expect(on('/queue')).toEqual(['QUEUE']);
    expect(on('/exceptions/0190')).toEqual(['EXCEPTION', 'EVIDENCE', 'DECISION']);
    expect(on('/audit')).toEqual(['AUDIT']);
    expect(on('/audit/7')).toEqual([]);
  });
});
