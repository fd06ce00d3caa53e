import { classNames } from './class-names';

const ALWAYS =
  'inline-flex shrink-0 items-center gap-1.5 weak:relative weak:justify-center whitespace-nowrap select-none transition-colors duration-100 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

const LOOK = {
  primary:
    'rounded-md bg-accent-strong text-on-accent weak:font-medium weak:shadow-sm hover:bg-accent-strong-hover aria-disabled:hover:bg-accent-strong',
  secondary:
    'rounded-md border border-line-strong bg-raised text-ink weak:font-medium weak:shadow-sm hover:bg-hover aria-disabled:hover:bg-raised',
  ghost:
    'rounded-md text-ink-muted weak:font-medium hover:bg-hover hover:text-ink aria-disabled:hover:bg-transparent',
  danger:
    'rounded-md bg-danger-strong text-on-accent weak:font-medium weak:shadow-sm hover:bg-danger-strong-hover aria-disabled:hover:bg-danger-strong',
  /** A filter that narrows the list now. */
  chosen:
    'rounded-md border border-accent bg-accent-soft text-accent weak:font-medium weak:shadow-sm hover:bg-accent-soft',
  warn: 'rounded-md border border-line-strong bg-raised text-danger weak:font-medium weak:shadow-sm hover:bg-hover aria-disabled:hover:bg-raised',
  link: 'rounded-xs font-normal text-accent underline decoration-line-strong underline-offset-3 hover:decoration-current',
};

const SIZE = {
  sm: 'h-7 px-2 text-xs max-md:h-9',
  md: 'h-8 px-3 text-sm max-md:h-10',
  lg: 'h-10 px-4 text-base',
  /** An icon inside a line of text or a search box. */
  tiny: 'size-6 max-md:size-9',
  /** An icon at the end of a field. */
  inField: 'size-7 max-md:size-9',
  icon: 'size-7 max-md:size-10',
  inline: 'h-auto px-0',
};

export interface ButtonLook {
  look?: keyof typeof LOOK | undefined;
  size?: keyof typeof SIZE | undefined;
}

/** How a control that does something looks; shared by buttons and by links that look like one. */
export function buttonLook({
  look = 'secondary',
  size = 'md',
  className,
}: ButtonLook & { className?: string | undefined } = {}): string {
  return classNames(ALWAYS, LOOK[look], SIZE[size], className);
}
