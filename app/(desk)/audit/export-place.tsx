'use client';

import { useEffect, useRef, useState, type ReactNode } from 'react';

interface ExportPlaceProps {
  label: string;
  /** What is said after a press; the browser saves the file, and no page is told when it has. */
  sent: string;
  children: ReactNode;
}

/** Where the list is exported: a link that ends in #export leads the focus to its first button, and a press is answered (R-088ai). */
export function ExportPlace({ label, sent, children }: ExportPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    const arrive = () => {
      if (window.location.hash === '#export') place.current?.querySelector('button')?.focus();
    };
    arrive();
    window.addEventListener('hashchange', arrive);
    return () => window.removeEventListener('hashchange', arrive);
  }, []);
  return (
    <div
      ref={place}
      data-screen-only
      id="export"
      role="group"
      aria-label={label}
      className="flex flex-col gap-1"
      onSubmit={() => setPressed(true)}
    >
      {children}
      <p role="status" className="max-w-md text-xs font-medium empty:hidden">
        {pressed && sent}
      </p>
    </div>
  );
}
