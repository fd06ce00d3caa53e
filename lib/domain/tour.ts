/** The stops of the tour, in the order of the work. */
export const TOUR_STOPS = ['QUEUE', 'EXCEPTION', 'EVIDENCE', 'DECISION', 'AUDIT'] as const;
export type TourStop = (typeof TOUR_STOPS)[number];

export interface TourState {
  /** `NEW`: neither begun nor declined. */
  readonly state: 'NEW' | 'RUNNING' | 'LEFT' | 'DONE';
  /** Stops that lie behind. */
  readonly place: number;
}

export const NEW_TOUR: TourState = { state: 'NEW', place: 0 };

export function stopAt(place: number): TourStop {
  return TOUR_STOPS[Math.min(Math.max(place, 0), TOUR_STOPS.length - 1)] ?? 'QUEUE';
}

/** Offered by itself on invented data alone: nobody is shown around in somebody's real work unless they ask. */
export const isOffered = ({ state }: TourState, demo: boolean): boolean => demo && state === 'NEW';

/** After a press on "next": the end of the last stop is the end of the tour. */
export function afterStop(place: number): TourState {
  const last = place >= TOUR_STOPS.length - 1;
  return last ? { state: 'DONE', place: 0 } : { state: 'RUNNING', place: place + 1 };
}

/** From the user's menu: on from where it was left, or from the start. */
export function resumed({ state, place }: TourState): TourState {
  return { state: 'RUNNING', place: state === 'LEFT' ? place : 0 };
}

/** Whether a stop is on this page. */
export function isOnPage(stop: TourStop, pathname: string): boolean {
  switch (stop) {
    case 'QUEUE':
      return pathname === '/queue';
    case 'EXCEPTION':
    case 'EVIDENCE':
    case 'DECISION':
      return /^\/exceptions\/[^/]+$/.test(pathname);
    case 'AUDIT':
      return pathname === '/audit';
    default: {
      const impossible: never = stop;
      throw new Error(`bug: unknown stop ${String(impossible)}`);
    }
  }
}
