'use client';

import { Popover as Radix } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { type Opened } from './use-opener';

interface PopoverProps {
  opened: Opened;
  /** Accessible name of the surface. */
  label: string;
  align?: 'start' | 'end';
  onClose: () => void;
  children: ReactNode;
}

/** An open surface beside its button, for controls that need no decision. Loaded with what stands in it. */
export function Popover({ opened: { element }, label, align = 'start', onClose, children }: PopoverProps) {
  const anchor = useRef(element);
  const left = useRef(false);
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          onInteractOutside={(event) => {
            // Its own button closes it by itself; closed here, that press would open it again.
            if (event.target instanceof Node && element.contains(event.target)) event.preventDefault();
            else left.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!left.current) element.focus();
          }}
          className="relative z-40 max-h-[var(--radix-popover-content-available-height)] min-w-52 animate-surface-in overflow-auto rounded-lg border border-line bg-raised p-3 shadow-lg outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
