'use client';

import { useId } from 'react';
import { startOfDay } from '@/lib/domain/calendar-day';
import { useReaderZone } from '../time/clock';
import { isoLike } from '../time/instant';
import { Input } from '../ui/input';
import { useTextFilter } from '../data-table/table-address';

interface DateFilterProps {
  /** The parameter in the address; it holds an instant, so that a link means the same in every zone. */
  name: string;
  label: string;
  /** `until` takes the whole day named: the address holds the start of the next one. */
  edge: 'since' | 'until';
}

/** One end of a span of time, by the reader's calendar. */
export function DateFilter({ name, label, edge }: DateFilterProps) {
  const id = useId();
  const zone = useReaderZone();
  const [instant, set] = useTextFilter(name);
  const shift = edge === 'until' ? 1 : 0;
  const shown = instant === '' ? '' : dayOf(instant, shift, zone);
  return (
    <span className="inline-flex items-center gap-1.5">
      <label htmlFor={id} className="text-sm text-ink-muted">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        value={shown}
        max="9999-12-31"
        onChange={(event) =>
          set(event.target.value === '' ? '' : startOfDay(event.target.value, shift, zone))
        }
        className="w-36"
      />
    </span>
  );
}

function dayOf(instant: string, shift: number, zone: string): string {
  const time = Date.parse(instant);
  // The end of a span is the start of the day after: one millisecond before lies in the day that was chosen.
  return Number.isNaN(time) ? '' : isoLike(new Date(time - shift).toISOString(), zone).slice(0, 10);
}
