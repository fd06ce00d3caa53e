/**
 * Milliseconds after which a navigation that led nowhere (a redirect to where one was) holds nothing up any more. Longer than a
 * page of the slowest server that somebody would still wait for: forgotten sooner, the readings would make just that page later.
 */
const FORGET_AFTER = 60_000;

let last: { from: string; at: number } | null = null;

/** Called by Next at the start of each navigation inside the product, before anything of the new page is there. */
export function noteNavigation(): void {
  last = { from: window.location.href, at: performance.now() };
}

/**
 * True from the click on a link until its page shows. React shows a new page only when every reading begun meanwhile has ended
 * as well: where lists that change are read anew on top of it, a slow server keeps a person from leaving at all.
 */
export function isLeaving(): boolean {
  if (last === null) return false;
  if (window.location.href === last.from && performance.now() - last.at < FORGET_AFTER) return true;
  last = null;
  return false;
}
