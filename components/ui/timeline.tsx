import { type LucideIcon } from 'lucide-react';
import { type ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_SURFACE, type Tone } from './tone';

export interface TimelineEntry {
  id: string;
  icon: LucideIcon;
  tone?: Tone;
  title: ReactNode;
  /** When, at the right edge. */
  time: ReactNode;
  body?: ReactNode;
}

/** What happened, in order. */
export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {entries.map(({ id, icon: Icon, tone = 'quiet', title, time, body }, index) => (
        <li key={id} className="relative flex gap-3 pb-4 last:pb-0">
          {index < entries.length - 1 && (
            <span aria-hidden className="absolute top-6 bottom-0 left-3 w-px bg-line" />
          )}
          <span
            className={classNames(
              'z-10 flex size-6 shrink-0 items-center justify-center rounded-full ring-1 ring-inset',
              TONE_SURFACE[tone],
            )}
          >
            <Icon aria-hidden className="size-3.5" />
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <p className="min-w-0 flex-1 text-sm font-medium">{title}</p>
              <span className="text-xs text-ink-muted">{time}</span>
            </div>
            {body !== undefined && <div className="mt-1 text-sm text-ink-muted">{body}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
