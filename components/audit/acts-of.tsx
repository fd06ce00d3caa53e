import Link from 'next/link';
import { type ReactNode } from 'react';

/** From a name to what the audit has of them. */
export function ActsOf({ actorId, children }: { actorId: string; children: ReactNode }) {
  return (
    <Link
      href={`/audit?person=${encodeURIComponent(actorId)}`}
      className="max-w-full min-w-0 underline decoration-line-strong underline-offset-3 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
