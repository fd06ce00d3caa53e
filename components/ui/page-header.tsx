import { type ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  /** The way back, above the title. */
  back?: ReactNode;
  lead?: ReactNode;
  /** Badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
  /** 2 where the page has a title above this one. */
  level?: 1 | 2;
}

/** The head of every page: one title, what it is for, what can be done here. */
export function PageHeader({ title, back, lead, badges, actions, level = 1 }: PageHeaderProps) {
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-4 pb-3 md:items-end md:px-6">
      <div className="min-w-40 flex-1">
        {back !== undefined && <div className="mb-1 text-xs">{back}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Title className="text-xl font-semibold tracking-[-0.012em]">{title}</Title>
          {badges}
        </div>
        {lead !== undefined && (
          <p data-print="show" className="mt-0.5 text-sm text-ink-muted max-md:hidden">
            {lead}
          </p>
        )}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
