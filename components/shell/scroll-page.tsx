import { type ReactNode } from 'react';

/** A page that scrolls as a whole, inside the frame; lists scroll their rows instead. */
export function ScrollPage({ children }: { children: ReactNode }) {
  return <div className="flex min-h-0 flex-1 flex-col md:overflow-y-auto">{children}</div>;
}
