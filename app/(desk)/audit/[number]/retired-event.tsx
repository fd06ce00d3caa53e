import { ScrollText } from 'lucide-react';
import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { ScrollPage } from '@/components/shell/scroll-page';
import { KeyText } from '@/components/text/key-text';
import { Instant } from '@/components/time/instant';
import { FactList } from '@/components/ui/fact-list';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { type RetiredRange } from '@/lib/audit/retirements';

/** In place of an event that has left the database: in which archive it stands since when, and how it is verified there. */
export function RetiredEvent({ number, range }: { number: string; range: RetiredRange }) {
  const t = useTranslations('audit');
  const { archive } = range;
  const [first, last] = [range.first.toString(), range.last.toString()];
  return (
    <ScrollPage>
      <PageHeader
        back={
          <Link href="/audit" className="inline-flex items-center gap-1 text-ink-muted hover:text-ink">
            <ScrollText aria-hidden className="size-3.5" />
            {t('detail.back')}
          </Link>
        }
        title={t('retired.event')}
        lead={t('detail.title', { number })}
      />
      <div className="flex max-w-4xl flex-col gap-4 px-4 pb-8 md:px-6">
        <Notice tone="quiet">{t('retired.eventBody', { first, last, archive })}</Notice>
        <FactList
          absent={t('detail.absent')}
          facts={[
            { term: t('retired.archive'), value: <KeyText value={archive} /> },
            {
              term: t('retired.at'),
              value: <Instant at={range.retiredAt} look="full" className="tabular" />,
            },
            { term: t('retired.sha256'), value: <KeyText value={range.sha256} />, wide: true },
            {
              term: t('retired.told'),
              value: (
                <Link
                  href={`/audit/${range.eventNumber}`}
                  className="text-accent underline underline-offset-2"
                >
                  {t('detail.title', { number: range.eventNumber.toString() })}
                </Link>
              ),
            },
          ]}
        />
        <p className="text-sm text-ink-muted">
          {t('retired.command', { command: `npm run audit:verify -- --export ${archive}` })}
        </p>
      </div>
    </ScrollPage>
  );
}
