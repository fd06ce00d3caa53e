'use client';

import { Search, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { buttonLook } from '@/components/ui/button-look';
import { Input } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';
import { isComposing, useOptions } from '@/components/ui/use-options';
import { completeQueueQuery, type Completion } from '@/lib/domain/complete-queue-query';
import { parseQueueQuery, type QueryProblem } from '@/lib/domain/parse-queue-query';
import { printQueueQuery, printValue } from '@/lib/domain/print-queue-query';
import { LONGEST_QUERY, NO_QUERY } from '@/lib/domain/queue-query';
import { queueVocabulary, type QueueNames } from './queue-vocabulary';
import { useQueueWords } from './queue-words';
import { SearchOptions } from './search-options';
import { SearchProblems } from './search-problem';
import { queryOf, useQueueAddress } from './use-queue-address';

/** Milliseconds after the last letter until plain text is looked for; filters wait for Enter. */
const TYPING_PAUSE = 350;

/** The address' filters as words, with completion. What is typed changes the list only where all of it is understood. */
export function QueueSearch({ names }: { names: QueueNames }) {
  const t = useTranslations('queue');
  const called = useQueueWords();
  const { address, change } = useQueueAddress();
  const query = useMemo(() => queryOf(address), [address]);
  const vocabulary = useMemo(() => queueVocabulary(names, query), [names, query]);
  const printed = printQueueQuery(query, vocabulary);
  const input = useRef<HTMLInputElement>(null);
  // Null: nothing is being written, and the box says what the address says.
  const [draft, setDraft] = useState<string | null>(null);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [problems, setProblems] = useState<readonly QueryProblem[]>([]);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const text = draft ?? printed;
  const completions = completeQueueQuery(text, caret, vocabulary, called);
  const shown = open ? completions.choices : [];
  const options = useOptions(shown.length);

  const look = (written: string, kept: string | null = null) => {
    clearTimeout(pause.current);
    const parsed = parseQueueQuery(written, vocabulary);
    setProblems(parsed.kind === 'misread' ? parsed.problems : []);
    if (parsed.kind === 'misread') return;
    setDraft(kept);
    if (printQueueQuery(parsed.query, vocabulary) !== printed) change(parsed.query);
  };
  const write = (written: string, at: number) => {
    clearTimeout(pause.current);
    setDraft(written);
    setCaret(at);
    setOpen(true);
    setProblems([]);
    options.setActive(-1);
    const { choices } = completeQueueQuery(written, at, vocabulary, called);
    // A word that may become a filter is none yet: its search would be on record.
    if (choices.length > 0 && written.trim() !== '') return;
    if (parseQueueQuery(written, vocabulary).kind === 'read')
      pause.current = setTimeout(() => look(written, written), TYPING_PAUSE);
  };
  const take = ({ insert, value }: Completion) => {
    const written = text.slice(0, completions.from) + insert + text.slice(completions.to).trimStart();
    const at = completions.from + insert.length;
    write(written, at);
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
    if (value !== null) look(written, written);
  };
  const mend = ({ from, to, word, reason, suggestion }: QueryProblem) => {
    if (suggestion === null) return;
    const end = reason === 'unknown-filter' ? from + word.length : to;
    const put = reason === 'unknown-filter' ? suggestion : printValue(suggestion);
    const written = text.slice(0, from) + put + text.slice(end);
    setDraft(written);
    look(written);
    input.current?.focus();
  };
  const clear = () => {
    setDraft(null);
    setProblems([]);
    change(NO_QUERY);
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' && !open) setOpen(true);
    if (options.move(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      const choice = shown[options.active];
      if (choice !== undefined) return take(choice);
      setOpen(false);
      look(text);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (shown.length > 0) return setOpen(false);
      clearTimeout(pause.current);
      if (draft === null && problems.length === 0) input.current?.blur();
      setDraft(null);
      setProblems([]);
    }
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 max-md:basis-full">
      <div role="search" className="@container relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-faint"
        />
        <Input
          ref={input}
          type="search"
          role="combobox"
          data-search
          aria-label={t('filter.searchLabel')}
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={options.listId}
          aria-activedescendant={options.active < 0 ? undefined : options.optionId(options.active)}
          aria-invalid={problems.length > 0 || undefined}
          aria-describedby={problems.length > 0 ? `${options.listId}-problems` : undefined}
          placeholder={t('filter.search')}
          maxLength={LONGEST_QUERY}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          value={text}
          onChange={(event) =>
            write(event.target.value, event.target.selectionStart ?? event.target.value.length)
          }
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onKeyDown={onKey}
          onBlur={() => {
            setOpen(false);
            clearTimeout(pause.current);
            if (draft !== null) look(draft);
          }}
          className="border-line-strong pr-14 pl-8.5 font-mono text-xs placeholder:font-sans placeholder:text-sm [&::-webkit-search-cancel-button]:hidden"
        />
        <span className="absolute top-1/2 right-2 flex -translate-y-1/2 items-center gap-0.5 max-md:right-1">
          {text === '' ? (
            <span aria-hidden className="pointer-events-none hidden md:@[18rem]:flex">
              <Kbd>/</Kbd>
            </span>
          ) : (
            <button
              type="button"
              aria-label={t('query.clear')}
              onClick={clear}
              className={buttonLook({ look: 'ghost', size: 'tiny' })}
            >
              <X aria-hidden />
            </button>
          )}
        </span>
        <SearchOptions
          label={t('query.offers')}
          choices={shown}
          options={options}
          called={called}
          onTake={take}
        />
      </div>
      {problems.length > 0 && (
        <SearchProblems id={`${options.listId}-problems`} problems={problems} onMend={mend} />
      )}
    </div>
  );
}
