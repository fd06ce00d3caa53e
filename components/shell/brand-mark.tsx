import { classNames } from '../ui/class-names';

/** One effect, and the outline of the second that did not happen. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 20" aria-hidden className={classNames('h-5 w-7 text-accent', className)}>
      <circle
        cx="18"
        cy="10"
        r="8.25"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.2 2.1"
        opacity="0.75"
      />
      <circle cx="10" cy="10" r="9" fill="currentColor" />
      <path
        d="m6.4 10.3 2.5 2.5 4.7-5"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
