import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { operationGuideSchema, type OperationGuide } from '@/lib/domain/operation-guide';
import { VisibleText } from '../text/visible-text';
import { Panel } from '../ui/panel';

/** What a decision needs first; the rest unfolds. */
const FIRST = ['whereToLook', 'prohibitions', 'completeWhen', 'effectUnit'] as const;
const REST = ['purpose', 'inputsAndResult', 'keyIssuer', 'restartPoint', 'whenToStop', 'whoDecides'] as const;

/** The operation guide in the reader's language. `writeAt`: where the reader may write it, shown where there is none. */
export function GuidePanel({ guide, writeAt }: { guide: unknown; writeAt: string | null }) {
  const t = useTranslations('exception.guide');
  const common = useTranslations('common.action');
  const locale = useLocale();
  const parsed = operationGuideSchema.safeParse(guide);
  return (
    <Panel id="guide" title={t('title')}>
      {parsed.success ? (
        <div className="flex flex-col gap-2.5">
          <Sections text={parsed.data[locale]} names={FIRST} />
          <details>
            <summary className="w-fit text-xs text-ink-muted hover:text-ink">{common('showMore')}</summary>
            <div className="mt-2.5">
              <Sections text={parsed.data[locale]} names={REST} />
            </div>
          </details>
        </div>
      ) : (
        <p className="text-sm text-ink-muted">
          {t('none')}{' '}
          {writeAt !== null && (
            <Link href={writeAt} className="text-accent underline underline-offset-3">
              {t('write')}
            </Link>
          )}
        </p>
      )}
    </Panel>
  );
}

type GuideText = OperationGuide['en'];

function Sections({ text, names }: { text: GuideText; names: readonly (keyof GuideText)[] }) {
  const t = useTranslations('exception.guide.section');
  return (
    <dl className="flex flex-col gap-2.5 text-sm">
      {names.map((name) => (
        <div key={name}>
          <dt className="text-xs text-ink-muted">{t(name)}</dt>
          <dd className="mt-0.5">
            <VisibleText text={text[name]} paragraphs />
          </dd>
        </div>
      ))}
    </dl>
  );
}
