import { type ReactNode } from 'react';
import { classNames } from './class-names';

interface PanelProps {
  title: ReactNode;
  /** A figure or badge beside the title. */
  aside?: ReactNode;
  /** For links within the page. */
  id?: string;
  children: ReactNode;
  className?: string;
}

/** One titled part of a page of facts. */
export function Panel({ title, aside, id, children, className }: PanelProps) {
  return (
    <section
      id={id}
      aria-label={typeof title === 'string' ? title : undefined}
      className={classNames('rounded-lg border border-line bg-surface', className)}
    >
      <header className="flex min-h-11 items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside !== undefined && <div className="ml-auto text-xs text-ink-muted">{aside}</div>}
      </header>
      <div className="px-4 py-3">{children}</div>
    </section>
  );
}
