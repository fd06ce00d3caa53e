'use client';

import { Popover as Radix } from 'radix-ui';
import { type ReactNode } from 'react';

interface PopoverProps {
  /** A focusable element: usually a `Button`. */
  trigger: ReactNode;
  /** Accessible name of the surface. */
  label: string;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A small surface beside its trigger, for controls that need no decision. */
export function Popover({ trigger, label, align = 'start', children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className="relative z-40 max-h-[var(--radix-popover-content-available-height)] min-w-52 animate-surface-in overflow-auto rounded-lg border border-line bg-raised p-3 shadow-lg outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
