'use client';

import { type ComponentProps } from 'react';
import { createPortal } from 'react-dom';

/** Stands where a button is, for what is placed beside it; at the page's end, where nothing moves what is fixed. */
export function Anchor({ at, ...rest }: ComponentProps<'span'> & { at: DOMRect }) {
  const { left, top, width, height } = at;
  return createPortal(
    <span
      {...rest}
      aria-hidden
      style={{ position: 'fixed', visibility: 'hidden', left, top, width, height }}
    />,
    document.body,
  );
}
