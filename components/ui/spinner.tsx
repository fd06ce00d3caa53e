import { LoaderCircle } from 'lucide-react';

/** Something is under way; the label says what. */
export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-sm text-ink-muted">
      <LoaderCircle aria-hidden className="size-4 animate-turn" />
      {label}
    </span>
  );
}
