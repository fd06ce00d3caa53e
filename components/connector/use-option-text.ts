import { useTranslations } from 'next-intl';

const OPTIONS = {
  kind: ['http', 'postgres'],
  pagingBy: ['none', 'next', 'link', 'cursor', 'last', 'number'],
} as const;

/** The words of a choice; what this build does not know stands as it is. */
export function useOptionText(): (key: string, choice: string) => string {
  const t = useTranslations('connectors.option');
  return (key, choice) => {
    const name = choice === '' ? 'none' : choice;
    if (key === 'kind') return OPTIONS.kind.includes(name as 'http') ? t(`kind.${name as 'http'}`) : choice;
    return OPTIONS.pagingBy.includes(name as 'none') ? t(`pagingBy.${name as 'none'}`) : choice;
  };
}
