'use client';

import dynamic from 'next/dynamic';
import { useEffect, useRef, useState, type FocusEvent, type PointerEvent, type ReactNode } from 'react';

const TooltipLayer = dynamic(async () => (await import('./tooltip-layer')).TooltipLayer, { ssr: false });

/** Milliseconds in which a pointer reaches the words from what they explain. */
const ON_THE_WAY = 150;

/**
 * More about a focusable thing, on hover and focus: what it takes for that, and the words while they are shown. Nothing may be
 * said here alone.
 * @param delay milliseconds that a pointer rests before the words appear
 */
export function useTooltip(content: ReactNode, delay: number) {
  const [at, setAt] = useState<DOMRect | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const after = (milliseconds: number, element: Element | null) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAt(element?.getBoundingClientRect() ?? null), milliseconds);
  };
  const close = () => {
    clearTimeout(timer.current);
    setAt(null);
  };
  const show = (element: Element) => {
    clearTimeout(timer.current);
    setAt(element.getBoundingClientRect());
  };
  const trigger = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') after(delay, event.currentTarget);
    },
    onPointerLeave: () => after(ON_THE_WAY, null),
    onFocus: (event: FocusEvent) => {
      if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget);
    },
    onBlur: close,
  };
  const card = at !== null && (
    <TooltipLayer
      at={at}
      onClose={close}
      onHold={() => clearTimeout(timer.current)}
      onLeave={() => after(ON_THE_WAY, null)}
    >
      {content}
    </TooltipLayer>
  );
  return { trigger, card, show };
}
