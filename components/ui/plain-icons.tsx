import { type ReactNode } from 'react';

interface PlainIconProps {
  className?: string;
}

/** Lucide's "cloud-off": what could not be reached. Drawn here, as are the others: error pages load no library for an icon. */
export function CloudOff(props: PlainIconProps) {
  return (
    <Drawn {...props}>
      <path d="M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057" />
      <path d="M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.79 5.78" />
      <path d="m2 2 20 20" />
    </Drawn>
  );
}

/** Lucide's "search-x": what is not there. */
export function SearchX(props: PlainIconProps) {
  return (
    <Drawn {...props}>
      <path d="m13.5 8.5-5 5" />
      <path d="m8.5 8.5 5 5" />
      <circle cx="11" cy="11" r="8" />
      <path d="m21 21-4.3-4.3" />
    </Drawn>
  );
}

function Drawn({ className, children }: PlainIconProps & { children: ReactNode }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
    >
      {children}
    </svg>
  );
}
