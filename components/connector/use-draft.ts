'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import {
  CONNECTOR_FIELDS,
  fieldOfFault,
  fieldsNamedTwice,
  missingFields,
  type ConnectorDraft,
  type ConnectorFieldKey,
  type FieldValue,
} from '@/lib/domain/connector-form';

/** A recipe being written: what was typed, and what is wrong with it, by field. */
export function useDraft(start: ConnectorDraft) {
  const t = useTranslations('connectors');
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const [wrong, setWrong] = useState<ReadonlySet<ConnectorFieldKey>>(new Set());
  const touched = draft !== start;

  // Only the browser's own question keeps a page from being closed with what was typed.
  useEffect(() => {
    if (!touched) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [touched]);

  const change = (key: ConnectorFieldKey, value: FieldValue) => {
    setDraft({ ...draft, values: { ...draft.values, [key]: value } });
    setWrong(new Set([...wrong].filter((each) => each !== key)));
  };
  const missing = new Set(missingFields(draft));
  const twice = new Set(fieldsNamedTwice(draft));
  const errorOf = (key: ConnectorFieldKey): string | undefined => {
    if (tried && missing.has(key)) return t('form.needed');
    return wrong.has(key) || (tried && twice.has(key)) ? t(`field.${key}.wrong`) : undefined;
  };
  return {
    draft,
    touched,
    change,
    errorOf,
    /** Shows what is missing; true when nothing is. */
    isReady: (): boolean => {
      setTried(true);
      return missing.size === 0 && twice.size === 0;
    },
    /** Shows what the server found wrong. */
    mark: (answer: { readonly faults?: readonly string[] } | CommandAnswer | null) => {
      const faults = answer !== null && 'faults' in answer ? (answer.faults ?? []) : [];
      setWrong(new Set(faults.flatMap((fault) => fieldOfFault(fault) ?? [])));
    },
    /** Labels of what is missing or wrong now. */
    problems: (): string[] =>
      CONNECTOR_FIELDS.filter(({ key }) => missing.has(key) || twice.has(key) || wrong.has(key)).map(
        ({ key }) => t(`field.${key}.label`),
      ),
  };
}

export type Draft = ReturnType<typeof useDraft>;
