import { visibleRuns } from './visible-text';

/** A saved view of the queue, as its reader sees it. */
export interface QueueView {
  readonly viewId: string;
  readonly name: string;
  /** The query of the queue's address: empty, or from `?` on. */
  readonly address: string;
  readonly owner: { readonly personId: string; readonly displayName: string };
  /** Of the reader's tenants, those whose people see it too. */
  readonly tenantIds: readonly string[];
  /** As this reading shows it: a change of another version is refused. */
  readonly version: number;
}

/** Characters. */
export const LONGEST_VIEW_NAME = 60;

/** Views of one person; `review.keep_queue_view` refuses more. */
export const MOST_VIEWS = 100;

/**
 * A view's name as it is kept: without characters that do not show, blanks of any kind as one. Two names that look the same
 * are one name. Empty where nothing is left.
 */
export function viewName(written: string): string {
  const seen = [...written.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()];
  return seen
    .filter((character) => character === ' ' || visibleRuns(character)[0]?.escapeOf === null)
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Whether a name as it is kept can be kept. */
export const isViewName = (name: string): boolean => name !== '' && [...name].length <= LONGEST_VIEW_NAME;
