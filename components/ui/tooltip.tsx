'use client';

import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode } from 'react';

/** The dark card of a tooltip; inside a `Tooltip.Root`. */
export function TooltipSurface({ children }: { children: ReactNode }) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        collisionPadding={12}
        className="z-50 max-w-72 animate-surface-in rounded-md bg-ink px-2.5 py-1.5 text-xs text-pretty text-canvas shadow-md"
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  );
}

/** More about the thing it wraps, on hover and focus. The trigger must be focusable; nothing may be said here alone. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <TooltipSurface>{content}</TooltipSurface>
    </Radix.Root>
  );
}
