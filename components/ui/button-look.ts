import { cva, type VariantProps } from 'class-variance-authority';
import { classNames } from './class-names';

const look = cva(
  [
    'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 aria-disabled:opacity-55',
    '[&_svg]:size-4 [&_svg]:shrink-0',
  ],
  {
    variants: {
      look: {
        primary:
          'bg-accent-strong text-on-accent shadow-sm hover:bg-accent-strong-hover aria-disabled:hover:bg-accent-strong',
        secondary:
          'border border-line-strong bg-raised text-ink shadow-sm hover:bg-hover aria-disabled:hover:bg-raised',
        ghost: 'text-ink-muted hover:bg-hover hover:text-ink aria-disabled:hover:bg-transparent',
        danger:
          'bg-danger-strong text-on-accent shadow-sm hover:bg-danger-strong-hover aria-disabled:hover:bg-danger-strong',
        warn: 'border border-line-strong bg-raised text-danger shadow-sm hover:bg-hover aria-disabled:hover:bg-raised',
        link: 'rounded-xs font-normal text-accent underline decoration-line-strong underline-offset-3 hover:decoration-current',
      },
      size: {
        sm: 'h-7 px-2 text-xs max-md:h-9',
        md: 'h-8 px-3 text-sm max-md:h-10',
        lg: 'h-10 px-4 text-base',
        icon: 'size-7 max-md:size-10',
        inline: 'h-auto px-0',
      },
    },
    defaultVariants: { look: 'secondary', size: 'md' },
  },
);

export type ButtonLook = VariantProps<typeof look>;

/** How a control that does something looks; shared by buttons and by links that look like one. */
export function buttonLook({ className, ...variants }: ButtonLook & { className?: string } = {}): string {
  return classNames(look(variants), className);
}
