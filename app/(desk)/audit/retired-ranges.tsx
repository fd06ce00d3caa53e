import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import { KeyText } from '@/components/text/key-text';
import { Instant } from '@/components/time/instant';
import { Notice } from '@/components/ui/notice';
import { readRetirements } from '@/lib/audit/retirements';

/** What has left the database, and in which archives it stands; nothing where nothing has. */
export async function RetiredRanges() {
  const retired = await readRetirements();
  const [first, last] = [retired[0], retired.at(-1)];
  if (first === undefined || last === undefined) return null;
  const t = await getTranslations('audit.retired');
  return (
    <Notice tone="quiet" title={t('title', { first: first.first.toString(), last: last.last.toString() })}>
      <p>{t('lead', { next: (last.last + 1n).toString() })}</p>
      <details className="text-xs text-ink-muted">
        <summary className="cursor-pointer">{t('archive')}</summary>
        <ul className="mt-1 flex flex-col gap-1">
          {retired.toReversed().map((range) => (
            <li key={range.archive}>
              <Link href={`/audit/${range.eventNumber}`} className="text-accent underline underline-offset-2">
                {t('range', { first: range.first.toString(), last: range.last.toString() })}
              </Link>
              {' · '}
              <KeyText value={range.archive} /> · {t('at')} <Instant at={range.retiredAt} look="full" /> ·{' '}
              {t('sha256')} <KeyText value={range.sha256} />
            </li>
          ))}
        </ul>
        <p className="mt-1">
          {t('command', { command: 'npm run audit:verify -- --checkpoints FILE --archive FOLDER' })}
        </p>
      </details>
    </Notice>
  );
}
