'use client';

import { useId, useState, type AriaAttributes, type KeyboardEvent, type MouseEvent } from 'react';

/** What was pressed to open a surface, and how. */
export interface Opened {
  readonly element: HTMLElement;
  readonly byKeyboard: boolean;
}

/**
 * A button that opens a surface beside itself. The surface is loaded when it is first opened; the button is the page's own from
 * the start, and stays the same element.
 */
export function useOpener(
  haspopup: Exclude<AriaAttributes['aria-haspopup'], undefined>,
  load: () => unknown,
) {
  const id = useId();
  const [opened, setOpened] = useState<Opened | null>(null);
  const open = (element: HTMLElement, byKeyboard: boolean) => setOpened({ element, byKeyboard });
  const button = {
    id,
    'aria-haspopup': haspopup,
    'aria-expanded': opened !== null,
    // A hand that comes near mostly presses: what will be shown is on its way by then.
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (opened === null) open(event.currentTarget, event.detail === 0);
      else setOpened(null);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (haspopup !== 'menu' || event.key !== 'ArrowDown' || opened !== null) return;
      event.preventDefault();
      open(event.currentTarget, true);
    },
  } as const;
  return { opened, button, close: () => setOpened(null) };
}
