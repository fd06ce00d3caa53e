'use client';

import { type LucideIcon } from 'lucide-react';
import { classNames } from '../ui/class-names';
import { TONE_TEXT, type Tone } from '../ui/tone';
import { useChoiceFilter } from './table-address';

interface FilterChip {
  value: string;
  label: string;
  icon: LucideIcon;
  tone: Tone;
  count: string;
}

interface FilterChipsProps {
  name: string;
  label: string;
  /** "All kinds" with the sum. */
  all: { label: string; count: string };
  chips: readonly FilterChip[];
}

/** The parts of a list with their figures, from the same query as the rows; each press adds or takes one. */
export function FilterChips({ name, label, all, chips }: FilterChipsProps) {
  const [chosen, choose] = useChoiceFilter(name);
  return (
    <div
      role="group"
      aria-label={label}
      className="flex gap-1.5 max-md:relative max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 md:flex-wrap"
    >
      <Chip pressed={chosen.length === 0} onPress={() => choose([])} count={all.count}>
        {all.label}
      </Chip>
      {chips.map(({ value, label: words, icon: Icon, tone, count }) => (
        <Chip
          key={value}
          pressed={chosen.includes(value)}
          count={count}
          onPress={() =>
            choose(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
          }
        >
          <Icon aria-hidden className={classNames('size-3.5', TONE_TEXT[tone])} />
          {words}
        </Chip>
      ))}
    </div>
  );
}

interface ChipProps {
  pressed: boolean;
  count: string;
  onPress: () => void;
  children: React.ReactNode;
}

function Chip({ pressed, count, onPress, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classNames(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs whitespace-nowrap max-md:h-9',
        pressed
          ? 'border-accent bg-accent-soft font-medium text-ink'
          : 'border-line bg-surface text-ink-muted hover:border-line-strong hover:text-ink',
      )}
    >
      {children}
      <span className={classNames('tabular', pressed ? 'text-accent' : 'text-ink-faint')}>{count}</span>
    </button>
  );
}
