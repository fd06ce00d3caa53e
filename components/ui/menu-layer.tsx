'use client';

import { DropdownMenu as Radix } from 'radix-ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Anchor } from './anchor';
import { MenuParts } from './menu-parts';
import { type Opened } from './use-opener';

interface MenuLayerProps {
  opened: Opened;
  align: 'start' | 'end';
  side: 'top' | 'bottom';
  onClose: () => void;
  children: ReactNode;
}

/** An open menu. Loaded with the first one that is opened. */
export function MenuLayer({
  opened: { element, byKeyboard },
  align,
  side,
  onClose,
  children,
}: MenuLayerProps) {
  const [at] = useState(() => element.getBoundingClientRect());
  const left = useRef(false);
  return (
    <Radix.Root
      open
      modal={false}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Trigger asChild>
        <Anchor at={at} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-labelledby={element.id}
          align={align}
          side={side}
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
          className="relative z-40 max-h-[min(34rem,var(--radix-dropdown-menu-content-available-height))] min-w-48 animate-surface-in overflow-auto rounded-lg border border-line bg-raised p-1 shadow-lg"
        >
          <MenuParts value={Radix}>{children}</MenuParts>
          {byKeyboard && <FirstItem />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Who came by the keyboard stands on the first item. */
function FirstItem() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const item = place.current?.closest('[role=menu]')?.querySelector<HTMLElement>('[role^=menuitem]');
    item?.focus({ preventScroll: true });
  }, []);
  return <span ref={place} hidden />;
}
