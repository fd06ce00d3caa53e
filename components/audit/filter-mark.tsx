'use client';

import { X } from 'lucide-react';
import { useChoiceFilter } from '../data-table/table-address';
import { Button } from '../ui/button';

/** A filter that a link set: says what it is, and takes itself off. */
export function FilterMark({ name, label, removal }: { name: string; label: string; removal: string }) {
  const [, choose] = useChoiceFilter(name);
  return (
    <Button look="chosen" aria-label={removal} onClick={() => choose([])}>
      <span className="truncate font-mono text-xs">{label}</span>
      <X aria-hidden className="size-3.5!" />
    </Button>
  );
}
