import { classNames } from '@/components/ui/class-names';
import { type Options } from '@/components/ui/use-options';
import { type Completion } from '@/lib/domain/complete-queue-query';
import { type FieldName, type QueryWord } from '@/lib/domain/queue-query';
import { visibleText } from '@/lib/domain/visible-text';

interface SearchOptionsProps {
  label: string;
  choices: readonly Completion[];
  options: Options;
  called: (field: FieldName, value?: QueryWord) => string;
  onTake: (choice: Completion) => void;
}

/** What may be typed next, in the words of the search box and in the reader's own. */
export function SearchOptions({ label, choices, options, called, onTake }: SearchOptionsProps) {
  return (
    <ul
      id={options.listId}
      role="listbox"
      aria-label={label}
      hidden={choices.length === 0}
      className="absolute inset-x-0 top-full z-40 mt-1 max-h-80 overflow-auto rounded-lg border border-line bg-raised p-1 shadow-lg"
    >
      {choices.map((choice, index) => {
        const { field, value } = choice;
        const meaning = value === null ? called(field) : called(field, value);
        return (
          <li
            key={`${field}:${value?.value ?? ''}`}
            id={options.optionId(index)}
            role="option"
            aria-selected={index === options.active}
            // The focus stays in the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onTake(choice)}
            className={classNames(
              'flex min-h-8 cursor-default items-center gap-3 rounded-sm px-2 text-sm max-md:min-h-10',
              index === options.active ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <span className="font-mono text-xs">
              {value === null ? `${field}:` : visibleText(value.word)}
            </span>
            <span className="min-w-0 flex-1 truncate text-right text-xs text-ink-muted">{meaning}</span>
          </li>
        );
      })}
    </ul>
  );
}
