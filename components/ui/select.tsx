import { ChevronDown } from 'lucide-react';
import { type ComponentProps } from 'react';
import { classNames } from './class-names';
import { CONTROL, CONTROL_LINE } from './control-look';

interface SelectProps extends ComponentProps<'select'> {
  choices: readonly { value: string; label: string }[];
  /** Shown first and not choosable again: nothing is decided by default. */
  placeholder?: string;
}

/** One of several, as the platform's own list: right on phones, with keyboards and without scripts. */
export function Select({ choices, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className="relative inline-flex w-full">
      <select {...rest} className={classNames(CONTROL, CONTROL_LINE, 'appearance-none pr-8', className)}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-muted"
      />
    </span>
  );
}
