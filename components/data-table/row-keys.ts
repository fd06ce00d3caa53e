/** Which row a key leads to; null when the key means nothing here. */
export function rowAfterKey(key: string, present: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(present + 1, count - 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(present - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Whether a key leads into the rows from anywhere on the page; arrows scroll there. */
export function startsInRows(key: string): boolean {
  return key === 'j' || key === 'k';
}
