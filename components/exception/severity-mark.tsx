import { useTranslations } from 'next-intl';
import { type Severity } from '@/lib/domain/exception-kinds';
import { classNames } from '../ui/class-names';

const TONE: Readonly<Record<Severity, string>> = {
  1: 'text-danger',
  2: 'text-caution',
  3: 'text-ink-muted',
  4: 'text-ink-faint',
};

/** How pressing: bars that fill up, and the word. Critical is a solid sign, so that it differs in shape too. */
export function SeverityMark({ severity, wordless = false }: { severity: Severity; wordless?: boolean }) {
  const t = useTranslations('glossary.severity');
  return (
    <span
      title={t(`${severity}.means`)}
      className="inline-flex items-center gap-1.5 align-middle text-xs whitespace-nowrap"
    >
      <svg viewBox="0 0 16 16" aria-hidden className={classNames('size-4 shrink-0', TONE[severity])}>
        {severity === 1 ? (
          <>
            <rect x="1" y="1" width="14" height="14" rx="3.5" fill="currentColor" />
            <path d="M8 4.2v4.4M8 11.4v.2" stroke="var(--surface)" strokeWidth="2" strokeLinecap="round" />
          </>
        ) : (
          [0, 1, 2].map((bar) => (
            <rect
              key={bar}
              x={2 + bar * 4.5}
              y={9 - bar * 3}
              width="3"
              height={5 + bar * 3}
              rx="1"
              fill="currentColor"
              opacity={bar <= 4 - severity ? 1 : 0.28}
            />
          ))
        )}
      </svg>
      <span className={classNames(wordless && 'sr-only', severity === 1 ? 'font-medium' : 'text-ink-muted')}>
        {t(`${severity}.label`)}
      </span>
    </span>
  );
}
