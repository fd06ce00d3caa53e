import { useTranslations } from 'next-intl';
import { visibleRuns } from '@/lib/domain/visible-text';
import { classNames } from '../ui/class-names';

interface VisibleTextProps {
  /** Exactly as stored: a key, a name, a rationale, an outside system's words. */
  text: string;
  /** Keeps line ends, for rationales shown as paragraphs. */
  paragraphs?: boolean;
  className?: string;
}

/**
 * Text of others, shown so that it cannot deceive: control, bidirectional and zero-width characters as escapes, and
 * kept apart from the direction of the words around it.
 */
export function VisibleText({ text, paragraphs = false, className }: VisibleTextProps) {
  const t = useTranslations('common.text');
  return (
    <bdi className={classNames('[overflow-wrap:anywhere] weak:whitespace-pre-wrap', className)}>
      {visibleRuns(text, { keepLineBreaks: paragraphs }).map((run, index) =>
        run.escapeOf === null ? (
          run.text
        ) : (
          <span
            key={index}
            title={t('escape', { name: run.escapeOf })}
            className="mx-px rounded-xs bg-caution-soft px-0.5 font-mono text-[0.85em] text-caution ring-1 ring-caution-line ring-inset"
          >
            {run.text}
          </span>
        ),
      )}
    </bdi>
  );
}
