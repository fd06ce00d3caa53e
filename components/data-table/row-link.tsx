import Link from 'next/link';
import { type ReactNode } from 'react';

interface RowLinkProps {
  href: string;
  /** It is what stands open beside the list. */
  current?: boolean;
  children: ReactNode;
}

/** The one link of a row. Its area is the whole row, so that a press anywhere opens it, in a new tab too. */
export function RowLink({ href, current = false, children }: RowLinkProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      data-row-link
      aria-current={current || undefined}
      className="block min-w-0 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
    </Link>
  );
}
