'use client';

import { Search, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { buttonLook } from '../ui/button-look';
import { Input } from '../ui/input';
import { Kbd } from '../ui/kbd';
import { useTextFilter } from './table-address';

/** Characters; more is no key. */
const LONGEST = 300;

/** Free text over a list, kept in the address. The key / leads here (see the shell's keys). */
export function FilterSearch({
  name,
  label,
  placeholder,
  describedBy,
}: {
  name: string;
  label: string;
  placeholder: string;
  /** The id of a text beside it that says what is found. */
  describedBy?: string;
}) {
  const t = useTranslations('common.table');
  const [text, setText] = useTextFilter(name);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      role="search"
      className="@container relative min-w-0 flex-1 max-md:basis-full md:max-w-96 md:basis-44"
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-faint"
      />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-describedby={describedBy}
        data-search
        aria-keyshortcuts="/"
        placeholder={placeholder}
        maxLength={LONGEST}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
        }}
        className="border-line-strong pr-14 pl-8.5 font-mono text-xs placeholder:font-sans placeholder:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="absolute top-1/2 right-2 flex -translate-y-1/2 items-center gap-0.5 max-md:right-1">
        {text === '' ? (
          <span aria-hidden className="pointer-events-none hidden gap-0.5 md:@[18rem]:flex">
            <Kbd>/</Kbd>
          </span>
        ) : (
          <button
            type="button"
            aria-label={t('clearSearch')}
            onClick={() => {
              setText('');
              input.current?.focus();
            }}
            className={buttonLook({ look: 'ghost', size: 'tiny' })}
          >
            <X aria-hidden />
          </button>
        )}
      </span>
    </div>
  );
}
