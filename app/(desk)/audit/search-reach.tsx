import { getTranslations } from 'next-intl/server';
import { LinkButton } from '@/components/ui/link-button';
import { Notice } from '@/components/ui/notice';
import { type Unsearched } from '@/lib/review/audit-words-walk';
import { auditAddress, type AuditAddress } from './search-params';

interface SearchReachProps {
  address: AuditAddress;
  search: 'none' | 'id' | 'executions' | 'words';
  unsearched: Unsearched | null;
}

/** What a search was taken for and how far it has come: nothing that was not looked through seems to be absent. */
export async function SearchReach({ address, search, unsearched }: SearchReachProps) {
  const t = await getTranslations('audit.reach');
  if (search === 'executions' || search === 'id') {
    return (
      <Notice
        tone="quiet"
        role="status"
        title={t(search)}
        action={
          <LinkButton
            size="sm"
            look="secondary"
            href={`/audit${auditAddress({ ...address, scope: 'words', cursor: null })}`}
          >
            {t('words')}
          </LinkButton>
        }
      />
    );
  }
  if (unsearched === null) return null;
  return (
    <Notice
      tone="quiet"
      role="status"
      title={t('searched', { number: unsearched.after })}
      action={
        <LinkButton
          size="sm"
          look="secondary"
          href={`/audit${auditAddress({ ...address, cursor: unsearched.onward })}`}
        >
          {t('on')}
        </LinkButton>
      }
    >
      {t('searchedBody')}
    </Notice>
  );
}
