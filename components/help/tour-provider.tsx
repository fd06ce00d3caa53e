'use client';

import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { isOffered, NEW_TOUR, resumed, type TourState } from '@/lib/domain/tour';
import { type CommandAction } from '../decision/command-action';

interface Tour {
  tour: TourState;
  offered: boolean;
  /** Started by a press on this page, whose button is gone now: the focus goes on to the tour. */
  begun: boolean;
  /** Goes there at once; that it is remembered may fail without anybody's harm. */
  move: (to: TourState) => void;
  start: () => void;
}

const TourContext = createContext<Tour>({
  tour: NEW_TOUR,
  offered: false,
  begun: false,
  move: () => undefined,
  start: () => undefined,
});

interface TourProviderProps {
  /** As the server remembers it for this person. */
  initial: TourState;
  demo: boolean;
  keep: CommandAction;
  children: ReactNode;
}

export function TourProvider({ initial, demo, keep, children }: TourProviderProps) {
  const [tour, setTour] = useState(initial);
  const [begun, setBegun] = useState(false);
  const value = useMemo((): Tour => {
    const move = (to: TourState) => {
      setTour(to);
      keep({ state: to.state, place: to.place }).catch(() => undefined);
    };
    const start = () => {
      setBegun(true);
      move(resumed(tour));
    };
    return { tour, begun, offered: isOffered(tour, demo), move, start };
  }, [tour, begun, demo, keep]);
  return <TourContext value={value}>{children}</TourContext>;
}

export const useTour = (): Tour => use(TourContext);
