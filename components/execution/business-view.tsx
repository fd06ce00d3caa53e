import { useTranslations } from 'next-intl';
import { plainWords, type PlainSubject } from '@/lib/domain/plain-words';

/** The state as people outside of engineering say it, with what follows from it. */
export function BusinessView(subject: PlainSubject) {
  const t = useTranslations('glossary.businessView');
  const tStep = useTranslations('glossary.nextStep');
  const { view, next } = plainWords(subject);
  const words = t(`${view}.label`);
  return (
    <span>
      <span className="font-medium">
        {subject.state === 'EXPIRED' ? t('expired', { view: words }) : words}
      </span>
      <span className="text-ink-muted">
        {' · '}
        {next === 'AT_THE_DESK'
          ? t('AT_THE_DESK', { step: subject.step === null ? '' : tStep(subject.step) })
          : next === 'NO_ATTEMPTS'
            ? t('NO_ATTEMPTS')
            : t(`${next}.next`)}
      </span>
    </span>
  );
}
