import { type LucideIcon } from 'lucide-react';
import { type ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_SURFACE, TONE_TEXT, type Tone } from './tone';

interface BadgeProps {
  icon: LucideIcon;
  tone?: Tone;
  /** `pill` has a surface, for states; `plain` is icon and words alone, for lists. */
  look?: 'pill' | 'plain';
  children: ReactNode;
  className?: string;
}

/** A word with an icon and a tone. The icon is decoration: the word says it all. */
export function Badge({ icon: Icon, tone = 'quiet', look = 'pill', children, className }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center gap-1.5 align-middle',
        look === 'pill'
          ? `weak:h-[1.375rem] rounded-sm px-1.5 weak:text-xs font-medium whitespace-nowrap ring-1 ring-inset ${TONE_SURFACE[tone]}`
          : 'weak:text-sm',
        className,
      )}
    >
      <Icon
        aria-hidden
        strokeWidth={2.1}
        className={classNames('size-3.5 shrink-0', look === 'plain' && TONE_TEXT[tone])}
      />
      <span className={look === 'pill' ? 'truncate' : 'text-balance'}>{children}</span>
    </span>
  );
}
