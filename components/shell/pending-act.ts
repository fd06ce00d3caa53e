let pending: { href: string; letter: string } | null = null;

/** A letter was pressed on a row: what it opens is on the page that the row leads to. */
export function keepPendingAct(href: string, letter: string): void {
  pending = { href, letter };
}

/** The letter that was pressed on this row, once. */
export function takePendingAct(id: string): string | null {
  const found = pending?.href.endsWith(`/${id}`) === true ? pending.letter : null;
  pending = null;
  return found;
}
