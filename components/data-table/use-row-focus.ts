import { useCallback, useEffect, type MouseEvent, type RefObject } from 'react';
import { actingLetter } from '../shell/single-keys';
import { rowAfterKey, startsInRows } from './row-keys';

/** The row that was opened last, by list: going back leads to it again. Kept while the desk is open in this tab. */
const opened = new Map<string, string>();

const linksIn = (body: HTMLElement | null) => [
  ...(body?.querySelectorAll<HTMLAnchorElement>('[data-row-link]') ?? []),
];

/** Leads the keyboard into a list: back to the row that was opened, or by j and k from anywhere on the page. */
export function useRowFocus(body: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const last = opened.get(window.location.pathname);
    const link = linksIn(body.current).find((each) => each.getAttribute('href') === last);
    // Whoever has the focus keeps it: after a step back, nobody does.
    if (link !== undefined && document.activeElement === document.body) link.focus();
  }, [body]);
  useEffect(() => {
    const enter = (event: KeyboardEvent) => {
      const letter = actingLetter(event);
      if (letter === null || !startsInRows(letter)) return;
      event.preventDefault();
      const links = linksIn(body.current);
      const last = links.find((each) => each.getAttribute('href') === opened.get(window.location.pathname));
      const present = links.findIndex((link) => link === document.activeElement);
      const next = present < 0 ? null : rowAfterKey(letter, present, links.length);
      if (next !== null) links[next]?.focus();
      else (last ?? links[0])?.focus();
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, [body]);
  return useCallback((event: MouseEvent) => {
    const href = (event.target as Element).closest('[data-row-link]')?.getAttribute('href');
    if (href != null) opened.set(window.location.pathname, href);
  }, []);
}
