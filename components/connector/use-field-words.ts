import { useTranslations } from 'next-intl';
import { type ConnectorFieldKey } from '@/lib/domain/connector-fields';

/** How a field is called, what is to be written there, and what is wrong when it is. */
export interface FieldWords {
  readonly label: string;
  readonly hint: string;
  readonly wrong: string;
}

/** Fields that hold a column where the connector asks a database. */
const COLUMNS = ['id', 'url', 'status', 'account', 'content', 'emptyList'] as const;

/** The words of each field, by the kind of connector. */
export function useFieldWords(kind: unknown): (key: ConnectorFieldKey) => FieldWords {
  const t = useTranslations('connectors');
  return (key) => {
    const column = kind === 'postgres' ? COLUMNS.find((each) => each === key) : undefined;
    return column === undefined
      ? { label: t(`field.${key}.label`), hint: t(`field.${key}.hint`), wrong: t(`field.${key}.wrong`) }
      : {
          label: t(`fieldOfRow.${column}.label`),
          hint: t(`fieldOfRow.${column}.hint`),
          wrong: t(`fieldOfRow.${column}.wrong`),
        };
  };
}
