import { classNames } from './class-names';

/** The place of something that is on its way. Decoration: the region around it says that it is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block weak:h-3.5 animate-pulse-soft rounded-sm bg-line', className)}
    />
  );
}
