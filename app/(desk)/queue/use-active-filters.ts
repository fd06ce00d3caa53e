'use client';

import { QUERY_FIELDS, wordsOf, type FieldName } from '@/lib/domain/queue-query';
import { visibleText } from '@/lib/domain/visible-text';
import { tabOf } from './queue-tab';
import { queueVocabulary, type QueueNames } from './queue-vocabulary';
import { useQueueWords } from './queue-words';
import { queryOf, useQueueAddress } from './use-queue-address';

export interface ActiveFilter {
  readonly key: string;
  readonly field: string;
  readonly value: string;
  readonly remove: () => void;
}

/** What the chosen tab says already. */
const OF_TABS: readonly FieldName[] = ['owner', 'due', 'hold'];

/** Each value that narrows the list now, in the reader's words, and how to take it off. Text is shown by the search box alone. */
export function useActiveFilters(names: QueueNames): { filters: readonly ActiveFilter[] } {
  const called = useQueueWords();
  const { address, change } = useQueueAddress();
  const query = queryOf(address);
  const vocabulary = queueVocabulary(names, query);
  const told = tabOf(address) === null ? [] : OF_TABS;
  const filters = QUERY_FIELDS.flatMap(({ name, parameter }) => {
    const given = query[parameter];
    if (given === null || told.includes(name)) return [];
    const values = typeof given === 'string' ? [given] : given;
    const { words } = wordsOf(parameter, vocabulary);
    return values.map((value): ActiveFilter => {
      const word = words.find((each) => each.value === value) ?? { value, word: value };
      const left = values.filter((each) => each !== value);
      return {
        key: `${name}:${value}`,
        field: called(name),
        value: called(name, word) || visibleText(nameOf(name, value, names) ?? word.word),
        remove: () => change({ [parameter]: left.length === 0 ? null : left }),
      };
    });
  });
  return { filters };
}

/** What has a name of its own besides the word that stands for it in the search box. */
const nameOf = (field: FieldName, value: string, { tenants }: QueueNames): string | undefined =>
  field === 'tenant' ? tenants?.find(({ tenantId }) => tenantId === value)?.displayName : undefined;
