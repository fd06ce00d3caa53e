import { useTranslations } from 'next-intl';
import { useCallback } from 'react';

const KNOWN_AUTHORITIES = [
  'general',
  'money',
  'sending',
  'deletion',
  'rights',
  'commitment',
  'publishing',
  'break-glass',
] as const;

/** The authority in the reader's words; an installation's own ones as they are named there. */
export function useAuthorityName(): (authority: string) => string {
  const t = useTranslations('common.authorities');
  return useCallback(
    (authority) => {
      const known = KNOWN_AUTHORITIES.find((each) => each === authority);
      return known === undefined ? t('other', { name: authority }) : t(known);
    },
    [t],
  );
}
