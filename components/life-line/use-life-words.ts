import { useTranslations } from 'next-intl';
import { type LifeItem, type LifeLane, type LifeSorts } from '@/lib/domain/life-line';

type WordsOf = (lane: LifeLane, sort: LifeItem['sort']) => string;

/** The words of everything on the line: the glossary's where it has them. */
export function useLifeWords(): WordsOf {
  const glossary = useTranslations('glossary');
  const t = useTranslations('life.sort');
  const words: { [Lane in LifeLane]: (sort: LifeSorts[Lane]) => string } = {
    ARRIVALS: (sort) => glossary(`disposition.${sort}`),
    ATTEMPTS: (sort) => glossary(`attemptOutcome.${sort}`),
    LEASE: (sort) => t(`LEASE.${sort}`),
    EFFECT: (sort) => t(`EFFECT.${sort}`),
    LOOKS: (sort) => (sort === 'TOO_EARLY' ? t('LOOKS.TOO_EARLY') : glossary(`verdict.${sort}`)),
    EXCEPTIONS: (sort) => glossary(`kind.${sort}.label`),
    DECISIONS: (sort) => t(`DECISIONS.${sort}`),
  };
  return (lane, sort) => (words[lane] as (sort: LifeItem['sort']) => string)(sort);
}
