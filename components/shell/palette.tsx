'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useRef, useState, type KeyboardEvent } from 'react';
import { classNames } from '../ui/class-names';
import { Dialog } from '../ui/dialog';
import { Input } from '../ui/input';
import { Kbd } from '../ui/kbd';
import { isComposing, useOptions } from '../ui/use-options';
import { ACT_LETTERS, GO_TO } from './key-map';
import { actOfLetter, performAct } from './perform-act';

interface Entry {
  id: string;
  label: string;
  keys: readonly string[];
  run: () => void;
}

const EXCEPTION_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Characters; no key or id is longer. */
const LONGEST = 300;

/** Places, what can be done with the open exception, and a search, by typing. */
export function Palette({ onClose, onKeyMap }: { onClose: () => void; onKeyMap: () => void }) {
  const t = useTranslations('common.keys');
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const entries = useEntries(text.trim(), onKeyMap);
  const options = useOptions(entries.length);
  // The first entry is the one that Enter takes: typing a few letters is enough.
  const active = Math.max(options.active, 0);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // After the dialog has given the focus back to where it came from.
    setTimeout(entry.run, 0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (options.move(event) || event.key !== 'Enter') return;
    event.preventDefault();
    run(entries[active]);
  };
  return (
    <Dialog
      open
      title={t('palette')}
      firstFocus={input}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Input
        ref={input}
        role="combobox"
        aria-label={t('paletteLabel')}
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls={options.listId}
        aria-activedescendant={entries.length > 0 ? options.optionId(active) : undefined}
        placeholder={t('palettePlaceholder')}
        maxLength={LONGEST}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          options.setActive(-1);
        }}
        onKeyDown={onKey}
        // Its outline must not be cut off by the scroller around it.
        className="mt-1"
      />
      <ul id={options.listId} role="listbox" aria-label={t('palette')} className="mt-2 flex flex-col">
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={options.optionId(index)}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => run(entry)}
            className={classNames(
              'flex min-h-9 cursor-default items-center gap-3 rounded-md px-2.5 text-sm max-md:min-h-11',
              index === active ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            <span aria-hidden className="flex gap-1">
              {entry.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useEntries(text: string, onKeyMap: () => void): Entry[] {
  const t = useTranslations('common.keys');
  const router = useRouter();
  // What is on the page beneath does not change while the palette is open.
  const [letters] = useState(() => ACT_LETTERS.filter((letter) => actOfLetter(letter) !== null));
  const go = (href: string) => () => router.push(href);
  const fixed: Entry[] = [
    ...letters.map((letter) => ({
      id: `act-${letter}`,
      label: t(`act.${letter}`),
      keys: [letter],
      run: () => void performAct(letter),
    })),
    ...(
      [
        ['q', 'queue'],
        ['e', 'executions'],
        ['a', 'approvals'],
        ['u', 'audit'],
      ] as const
    ).map(([letter, act]) => ({
      id: act,
      label: t(`act.${act}`),
      keys: ['g', letter],
      run: go(GO_TO[letter]),
    })),
    ...(['mine', 'unowned', 'overdue', 'held'] as const).map((part) => ({
      id: part,
      label: t(`part.${part}`),
      keys: [],
      run: go(`/queue?${PARTS[part]}`),
    })),
    { id: 'map', label: t('act.map'), keys: ['?'], run: onKeyMap },
  ];
  const words = text.toLowerCase().split(/\s+/);
  const fitting = fixed.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  if (text === '') return fitting;
  const asked = encodeURIComponent(text);
  return [
    ...(EXCEPTION_ID.test(text)
      ? [
          {
            id: 'exception',
            label: t('openException', { text }),
            keys: [],
            run: go(`/exceptions/${text.toLowerCase()}`),
          },
        ]
      : fitting),
    { id: 'search-queue', label: t('searchQueue', { text }), keys: [], run: go(`/queue?q=${asked}`) },
    {
      id: 'search-executions',
      label: t('searchExecutions', { text }),
      keys: [],
      run: go(`/executions?q=${asked}`),
    },
  ];
}

const PARTS = { mine: 'assignee=me', unowned: 'assignee=none', overdue: 'due=overdue', held: 'hold=yes' };
