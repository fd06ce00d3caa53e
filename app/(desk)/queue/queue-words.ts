'use client';

import { useTranslations } from 'next-intl';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { type DueTime, type FieldName, type QueryWord } from '@/lib/domain/queue-query';

/** What the reader's language calls a filter of the search box, or one of its values; empty where the value is its own name. */
export function useQueueWords(): (field: FieldName, value?: QueryWord) => string {
  const t = useTranslations('queue.query');
  const words = useTranslations('glossary');
  return (field, value) => {
    if (value === undefined) return t(`field.${field}`);
    switch (field) {
      case 'kind':
        return words(`kind.${value.value as ExceptionKind}.label`);
      case 'severity':
        return words(`severity.${value.value as '1' | '2' | '3' | '4'}.label`);
      case 'due':
        return t(`due.${value.value as DueTime}`);
      case 'hold':
        return t(`hold.${value.value as 'yes' | 'no'}`);
      case 'state':
        return t(`state.${value.value as 'closed' | 'any'}`);
      case 'owner':
        return value.value === 'me' || value.value === 'none' ? t(`owner.${value.value}`) : '';
      case 'age':
        return t(value.value.startsWith('<') ? 'age.younger' : 'age.older', {
          span: value.value.replace('<', ''),
        });
      case 'op':
      case 'system':
      case 'cause':
      case 'authority':
      case 'tenant':
      case 'incident':
        return '';
      default: {
        const impossible: never = field;
        throw new Error(`bug: unknown filter ${String(impossible)}`);
      }
    }
  };
}
