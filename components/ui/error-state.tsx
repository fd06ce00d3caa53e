import { type ComponentType, type ReactNode } from 'react';
import { CloudOff } from './plain-icons';

interface ErrorStateProps {
  /** A broken cloud unless given: what could not be reached. */
  icon?: ComponentType<{ 'aria-hidden': true; className: string }>;
  title: string;
  body: ReactNode;
  /** The error's number in the log, never its text. */
  reference?: string;
  action?: ReactNode;
}

/** Something could not be read or shown. Says so, and never looks like an empty list. */
export function ErrorState({ icon: Icon = CloudOff, title, body, reference, action }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-1.5 px-6 py-16 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-danger-soft text-danger ring-1 ring-danger-line ring-inset">
        <Icon aria-hidden className="size-5" />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-sm text-pretty text-ink-muted">{body}</p>
      {reference !== undefined && <p className="font-mono text-xs text-ink-faint">{reference}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}
