import { type ComponentProps } from 'react';
import { classNames } from './class-names';

/** A small table of facts inside a page (attempts, intakes). Lists that sort and page use components/data-table. */
export function Table({
  caption,
  wide = false,
  className,
  children,
  ...rest
}: ComponentProps<'table'> & {
  caption: string;
  /** Too many columns for a phone: there it scrolls sideways, with a shade at the side where more is. */
  wide?: boolean;
}) {
  return (
    <div
      className={classNames('relative overflow-x-auto', wide && 'scroll-cue')}
      role="group"
      aria-label={caption}
      tabIndex={0}
    >
      <table
        {...rest}
        className={classNames('w-full border-collapse text-sm', wide && 'max-sm:min-w-[38rem]', className)}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function HeadCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      {...rest}
      className={classNames(
        'border-b border-line px-3 py-1.5 weak:text-left text-xs font-medium whitespace-nowrap text-ink-muted first:pl-0 last:pr-0',
        className,
      )}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td
      {...rest}
      className={classNames('border-b border-line px-3 py-2 align-top first:pl-0 last:pr-0', className)}
    />
  );
}
