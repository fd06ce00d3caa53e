import { type ReactNode } from 'react';
import { Panel } from '../ui/panel';

export interface Meaning {
  /** For links to this one alone. */
  readonly id: string;
  readonly term: ReactNode;
  readonly means: string;
}

/** Words with what they mean, one under the other. */
export function Meanings({
  id,
  title,
  lead,
  meanings,
}: {
  id: string;
  title: string;
  lead: string;
  meanings: readonly Meaning[];
}) {
  return (
    <Panel id={id} title={title}>
      <p className="mb-2 text-sm text-ink-muted">{lead}</p>
      <dl className="grid sm:grid-cols-[minmax(9rem,14rem)_minmax(0,1fr)]">
        {meanings.map(({ id: own, term, means }) => (
          <div
            key={own}
            id={own}
            className="scroll-mt-4 border-t border-line py-2 target:bg-selected sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:gap-x-4"
          >
            <dt className="text-sm font-medium">{term}</dt>
            <dd className="text-sm text-pretty text-ink-muted">{means}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
