import { useTranslations } from 'next-intl';
import { type LookupErrorClass } from '@/lib/domain/lookup-finding';
import { visibleText } from '@/lib/domain/visible-text';

const KNOWN = [
  'TARGET_UNNAMED',
  'OTHER_ACCOUNT',
  'OTHER_SYSTEM',
  'VALUE_MISSING',
  'VALUE_REFUSED',
  'UNREACHABLE',
  'REDIRECT',
  'TOO_LARGE',
  'UNREADABLE',
  'NO_PERMISSION',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'UNEXPECTED_STATUS',
  'ERROR_IN_ANSWER',
  'UNEXPECTED_SHAPE',
  'MORE_PAGES',
  'NOT_COMPARABLE',
  'UNLISTED_STATUS',
  'SECRET_MISSING',
  'CONNECTOR_INVALID',
  'NO_LONGER_QUERYABLE',
] as const satisfies readonly LookupErrorClass[];

/** Why a look has no clear outcome; a class without words of its own is shown as it is. */
export function ErrorText({ errorClass, system }: { errorClass: string; system: string | null }) {
  const t = useTranslations('lookup.error');
  const known = KNOWN.find((each) => each === errorClass);
  return (
    <>
      {known === undefined
        ? t('other', { code: errorClass })
        : t(known, { system: system === null ? '–' : visibleText(system) })}
    </>
  );
}
