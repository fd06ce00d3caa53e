/** Exports under way at once in this process: each reads the log page by page on the pages' connections. */
const PLACES = 2;
/** Milliseconds; whoever reads more slowly loses the place. */
const LONGEST_MS = 10 * 60_000;

const holder = globalThis as { onceoverExports?: Set<symbol> };

export interface ExportPlace {
  /** Whether it is still one's own. */
  isHeld: () => boolean;
  release: () => void;
}

/** A place for one export; null when all are taken. */
export function takeExportPlace(): ExportPlace | null {
  const taken = (holder.onceoverExports ??= new Set());
  if (taken.size >= PLACES) return null;
  const place = Symbol('export');
  taken.add(place);
  const release = () => {
    taken.delete(place);
    clearTimeout(timer);
  };
  const timer = setTimeout(release, LONGEST_MS).unref();
  return { isHeld: () => taken.has(place), release };
}
