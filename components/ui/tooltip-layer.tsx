'use client';

import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { Anchor } from './anchor';

interface TooltipLayerProps {
  at: DOMRect;
  onClose: () => void;
  /** The pointer has come onto the words, and has left them: they may be read and marked. */
  onHold: () => void;
  onLeave: () => void;
  children: ReactNode;
}

/** The dark card itself. Loaded with the first one that is shown. */
export function TooltipLayer({ at, onClose, onHold, onLeave, children }: TooltipLayerProps) {
  return (
    <Radix.Provider disableHoverableContent>
      <Radix.Root
        open
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
      >
        <Radix.Trigger asChild>
          <Anchor at={at} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={12}
            onPointerEnter={onHold}
            onPointerLeave={onLeave}
            className="z-50 max-w-72 animate-surface-in rounded-md bg-ink px-2.5 py-1.5 text-xs text-pretty text-canvas shadow-md"
          >
            {children}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
