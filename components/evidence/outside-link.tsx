import { ExternalLink } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { isOpenable } from '@/lib/domain/lookup-finding';

/** A link to the outside system, in a tab of its own; nothing of ours goes along with it. */
export function OutsideLink({ href, children }: { href: string; children: React.ReactNode }) {
  const t = useTranslations('common.action');
  if (!isOpenable(href)) return <span>{children}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      className="inline-flex items-center gap-1 text-accent underline decoration-line-strong underline-offset-3 hover:decoration-current"
    >
      {children}
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">({t('openOutside')})</span>
    </a>
  );
}
