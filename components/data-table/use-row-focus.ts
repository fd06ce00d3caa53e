import { useCallback, useEffect, type MouseEvent, type RefObject } from 'react';
import { startsInRows } from './row-keys';

/** The row that was opened last, by list: going back leads to it again. Kept while the desk is open in this tab. */
const opened = new Map<string, string>();

const linksIn = (body: HTMLElement | null) => [
  ...(body?.querySelectorAll<HTMLAnchorElement>('[data-row-link]') ?? []),
];

/** Where typing means text, or a layer above the list has the keyboard. */
const OCCUPIED =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

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
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (!startsInRows(event.key) || !(event.target instanceof Element)) return;
      if (event.target.closest(OCCUPIED) !== null || document.querySelector('[role="dialog"]') !== null)
        return;
      const links = linksIn(body.current);
      const last = links.find((each) => each.getAttribute('href') === opened.get(window.location.pathname));
      (last ?? links[0])?.focus();
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, [body]);
  return useCallback((event: MouseEvent) => {
    const href = (event.target as Element).closest('[data-row-link]')?.getAttribute('href');
    if (href != null) opened.set(window.location.pathname, href);
  }, []);
}
