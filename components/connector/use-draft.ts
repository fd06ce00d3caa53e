'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type ConnectorFieldKey } from '@/lib/domain/connector-fields';
import {
  fieldsNamedTwice,
  fieldsOf,
  missingFields,
  placeOfFault,
  type ConnectorDraft,
  type FieldValue,
} from '@/lib/domain/connector-form';
import { useFieldWords } from './use-field-words';

/** What the server found wrong: the fields, and of a list the lines, from 1. */
type Wrong = ReadonlyMap<ConnectorFieldKey, readonly number[]>;

function wrongOf(faults: readonly string[]): Wrong {
  const wrong = new Map<ConnectorFieldKey, readonly number[]>();
  for (const fault of faults) {
    const place = placeOfFault(fault);
    if (place === null) continue;
    const lines = new Set(wrong.get(place.key) ?? []);
    if (place.line !== null) lines.add(place.line);
    wrong.set(place.key, [...lines]);
  }
  return wrong;
}

/** A recipe being written: what was typed, and what is wrong with it, by field. */
export function useDraft(start: ConnectorDraft) {
  const t = useTranslations('connectors');
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const [wrong, setWrong] = useState<Wrong>(new Map());
  const wordsOf = useFieldWords(draft.values.kind);

  const change = (key: ConnectorFieldKey, value: FieldValue) => {
    setDraft({ ...draft, values: { ...draft.values, [key]: value } });
    setWrong(new Map([...wrong].filter(([each]) => each !== key)));
  };
  const missing = new Set(missingFields(draft));
  const twice = new Set(fieldsNamedTwice(draft));
  const errorOf = (key: ConnectorFieldKey): string | undefined => {
    if (tried && missing.has(key)) return t('form.needed');
    const lines = wrong.get(key) ?? [];
    if (lines.length > 0) return t('form.inLines', { lines: lines.join(', '), wrong: wordsOf(key).wrong });
    return wrong.has(key) || (tried && twice.has(key)) ? wordsOf(key).wrong : undefined;
  };
  return {
    draft,
    touched: draft !== start,
    change,
    wordsOf,
    errorOf,
    /** Shows what is missing; true when nothing is. */
    isReady: (): boolean => {
      setTried(true);
      return missing.size === 0 && twice.size === 0;
    },
    /** Shows what the server found wrong. */
    mark: (answer: { readonly faults?: readonly string[] } | CommandAnswer | null) =>
      setWrong(wrongOf(answer !== null && 'faults' in answer ? (answer.faults ?? []) : [])),
    /** Labels of what is missing or wrong now. */
    problems: (): string[] =>
      fieldsOf(draft)
        .filter(({ key }) => missing.has(key) || twice.has(key) || wrong.has(key))
        .map(({ key }) => wordsOf(key).label),
  };
}

export type Draft = ReturnType<typeof useDraft>;
