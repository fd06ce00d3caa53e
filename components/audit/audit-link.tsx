import { ScrollText } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { LinkButton } from '../ui/link-button';

/** From a page to what the audit says about its subject. */
export function AuditLink({ about, id }: { about: 'exception' | 'execution' | 'request'; id: string }) {
  const t = useTranslations('audit');
  return (
    <LinkButton size="sm" look="ghost" href={`/audit?${about}=${id}`}>
      <ScrollText aria-hidden />
      {t('seeIn')}
    </LinkButton>
  );
}
