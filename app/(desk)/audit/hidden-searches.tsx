import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { MOST_COUNTED } from '@/lib/review/count-hidden-searches';
import { auditAddress, type AuditAddress } from './search-params';

/** Says that searches are left out and how many, and the way to see them; once shown, the way back. */
export async function HiddenSearches({ address, count }: { address: AuditAddress; count: number }) {
  const t = await getTranslations('audit.searches');
  const shown = address.searches === 'shown';
  if (!shown && count === 0) return null;
  return (
    <p role="status" className="text-xs text-ink-muted">
      {shown
        ? t('shown')
        : t(count > MOST_COUNTED ? 'hiddenMore' : 'hidden', { count: Math.min(count, MOST_COUNTED) })}{' '}
      <Link
        href={`/audit${auditAddress({ ...address, searches: shown ? null : 'shown', cursor: null })}`}
        className="text-accent underline underline-offset-2"
      >
        {t(shown ? 'hide' : 'show')}
      </Link>
    </p>
  );
}
