import { CircleCheck, CircleX, Info, Sparkles, TriangleAlert, type LucideIcon } from 'lucide-react';
import { type ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_SURFACE, type Tone } from './tone';

const ICONS: Readonly<Record<Tone, LucideIcon>> = {
  quiet: Info,
  accent: Info,
  progress: Info,
  confirmed: CircleCheck,
  caution: TriangleAlert,
  danger: CircleX,
  novel: Sparkles,
};

interface NoticeProps {
  tone: Tone;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** `status` is read out politely when it appears, `alert` at once; without, it is part of the page. */
  role?: 'status' | 'alert';
  className?: string;
}

/** A remark in the flow of the page: what happened, what to mind, what to do. */
export function Notice({ tone, title, children, action, role, className }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div
      role={role}
      className={classNames(
        'flex items-start gap-2.5 rounded-md px-3 py-2.5 text-sm ring-1 ring-inset',
        TONE_SURFACE[tone],
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {children !== undefined && (
          <div className={classNames('text-ink', title !== undefined && 'mt-0.5')}>{children}</div>
        )}
      </div>
      {action}
    </div>
  );
}
