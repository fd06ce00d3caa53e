'use client';

import { useId, useState, type KeyboardEvent } from 'react';

export interface Options {
  /** Of the listbox that the text field controls. */
  listId: string;
  optionId: (index: number) => string;
  /** -1: none; Enter then means the text itself. */
  active: number;
  setActive: (index: number) => void;
  /** True where the key moved within the options. */
  move: (event: KeyboardEvent) => boolean;
}

/** While a syllable is put together, its keys belong to the input method: Enter ends the syllable and sends nothing. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** The keyboard in a combobox whose focus stays in the text (ARIA Authoring Practices, "list autocomplete"). */
export function useOptions(count: number): Options {
  const listId = useId();
  const [wanted, setActive] = useState(-1);
  const active = wanted < count ? wanted : -1;
  const optionId = (index: number) => `${listId}-${index}`;
  const lead = (index: number) => {
    setActive(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' });
  };
  const move = (event: KeyboardEvent): boolean => {
    if (count === 0 || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowDown') lead(active + 1 < count ? active + 1 : -1);
    else if (event.key === 'ArrowUp') lead(active < 0 ? count - 1 : active - 1);
    else return false;
    event.preventDefault();
    return true;
  };
  return { listId, optionId, active, setActive, move };
}
