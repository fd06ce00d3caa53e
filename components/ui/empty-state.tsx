import { type ComponentType, type ReactNode } from 'react';

interface EmptyStateProps {
  icon: ComponentType<{ 'aria-hidden': true; className: string }>;
  title: string;
  body: ReactNode;
  action?: ReactNode;
}

/** There is truly nothing, and why. Never for a failure: that is `ErrorState`. */
export function EmptyState({ icon: Icon, title, body, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-1.5 px-6 py-16 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-sunken text-ink-faint ring-1 ring-line ring-inset">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-sm text-pretty text-ink-muted">{body}</p>
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}
