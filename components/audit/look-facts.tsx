'use client';

import { useTranslations } from 'next-intl';
import { type AuditRecord } from '@/lib/domain/audit-events';
import { type LookStart } from '@/lib/domain/audit-story';
import { ageThen, lookAgreement, type KeptLook } from '@/lib/domain/kept-look';
import { Comparison } from '../evidence/comparison';
import { OutsideLink } from '../evidence/outside-link';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { useSpan } from '../time/span-words';
import { FactList, type Fact } from '../ui/fact-list';

interface LookFactsProps {
  look: KeptLook;
  /** The event that recorded it. */
  recorded: AuditRecord;
  /** The act that stands on it; null on the look's own page. */
  decided: AuditRecord | null;
  /** How it came to be made; told on the look's own page. */
  started?: LookStart;
}

/** What was asked outside, in which account, what came back and how it compared: the row that the event names. */
export function LookFacts({ look, recorded, decided, started }: LookFactsProps) {
  const t = useTranslations('audit.look');
  const span = useSpan();
  const facts: Fact[] = [
    ...(started === undefined ? [] : [{ term: t('startedHow'), value: t(`started.${started}`), wide: true }]),
    ...(decided === null
      ? []
      : [{ term: t('age'), value: t('ageThen', { span: span(ageThen(look, decided)) }), wide: true }]),
    {
      term: t('asked'),
      wide: true,
      value: look.questionUrl === null ? t('askedByNobody') : <KeyText value={look.questionUrl} />,
    },
    { term: t('accountAsked'), value: <Text value={look.accountAsked} /> },
    { term: t('accountFound'), value: <Text value={look.accountFound} /> },
    { term: t('result'), value: <ResultAddress look={look} /> },
  ];
  return (
    <div className="mt-3 flex flex-col gap-3 border-t border-line pt-3">
      <FactList absent={t('none')} facts={facts} />
      {look.comparison.length > 0 ? (
        <section aria-label={t('compared')} className="flex flex-col gap-2">
          <h3 className="text-xs text-ink-muted">{t('compared')}</h3>
          <Comparison lines={look.comparison} />
        </section>
      ) : (
        <p className="text-sm text-ink-muted">{t('nothingCompared')}</p>
      )}
      <p className="text-xs text-ink-muted">{t(`agreement.${lookAgreement(look, recorded)}`)}</p>
    </div>
  );
}

function Text({ value }: { value: string | null }) {
  const t = useTranslations('audit.look');
  return value === null ? <span className="text-ink-faint">{t('none')}</span> : <VisibleText text={value} />;
}

function ResultAddress({ look: { resultId, resultUrl } }: { look: KeptLook }) {
  const t = useTranslations('audit.look');
  if (resultId === null && resultUrl === null) return <span className="text-ink-faint">{t('none')}</span>;
  const text = <KeyText value={resultId ?? resultUrl ?? ''} />;
  if (resultUrl === null) return text;
  return (
    <span className="flex flex-col">
      <OutsideLink href={resultUrl}>{text}</OutsideLink>
      {resultId !== null && <KeyText value={resultUrl} className="text-xs text-ink-muted" />}
    </span>
  );
}
