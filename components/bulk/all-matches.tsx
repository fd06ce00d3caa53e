'use client';

import { useTranslations } from 'next-intl';
import { Button } from '../ui/button';
import { useSelection } from './selection';

/** All exceptions that the queue's filter finds, on whichever page. */
export interface Matches {
  /** As far as they were counted. */
  readonly count: number;
  /** There are more than `count`. */
  readonly more: boolean;
  /** The queue's address, whose filter finds them. */
  readonly address: string;
}

interface AllMatchesProps {
  matches: Matches | null;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

/** Selects what the filter finds instead of rows of this page; shown where that is more than the page has. */
export function AllMatches({ matches, chosen, onChoose }: AllMatchesProps) {
  const t = useTranslations('bulk.matches');
  const { selectable } = useSelection();
  if (matches === null || (!chosen && !matches.more && matches.count <= selectable.length)) return null;
  const { count } = matches;
  return (
    <>
      <Button size="sm" look="ghost" onClick={() => onChoose(!chosen)}>
        {chosen ? t('drop') : t(matches.more ? 'more' : 'all', { count })}
      </Button>
      <span role="status" className="tabular text-sm text-ink-muted">
        {chosen && t(matches.more ? 'chosenMore' : 'chosen', { count })}
      </span>
    </>
  );
}
