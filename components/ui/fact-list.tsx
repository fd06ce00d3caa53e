import { type ReactNode } from 'react';
import { classNames } from './class-names';
import { Explained } from './explained';

export interface Fact {
  term: string;
  /** What the term means, where it is a word of the trade. */
  meaning?: string | null;
  /** Null shows as "not given", so that a gap is seen as one. */
  value: ReactNode;
  /** Takes the whole width: for keys and fingerprints. */
  wide?: boolean;
}

/** Names and their values. */
export function FactList({
  facts,
  absent,
  className,
}: {
  facts: readonly Fact[];
  absent: string;
  className?: string;
}) {
  return (
    <dl
      className={classNames('grid gap-x-6 gap-y-3 text-sm weak:grid-cols-2 weak:sm:grid-cols-3', className)}
    >
      {facts.map((fact) => (
        <div key={fact.term} className={classNames('min-w-0', fact.wide === true && 'col-span-full')}>
          <dt className="text-xs text-ink-muted">
            {fact.meaning == null ? fact.term : <Explained meaning={fact.meaning}>{fact.term}</Explained>}
          </dt>
          <dd className="mt-0.5 min-w-0 [overflow-wrap:anywhere]">
            {fact.value ?? <span className="text-ink-faint">{absent}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
