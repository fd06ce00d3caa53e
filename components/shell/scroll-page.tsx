import { type ReactNode } from 'react';

/**
 * A page that scrolls as a whole, inside the frame; lists scroll their rows instead. Positioned, as every scroller is:
 * texts for screen readers are laid out absolutely and would otherwise stretch the document around the frame.
 */
export function ScrollPage({ children }: { children: ReactNode }) {
  return (
    <div data-frame className="relative flex min-h-0 flex-1 flex-col md:overflow-y-auto">
      {children}
    </div>
  );
}
