import { useTranslations } from 'next-intl';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { placeholderLabel } from '@/lib/domain/placeholder-label';
import { visibleText } from '@/lib/domain/visible-text';

/** Where a report's file is wrong, beside the refusal itself. */
export function FileFaultText({ answer }: { answer: CommandAnswer }) {
  const t = useTranslations('incidents.fault');
  if (answer.outcome !== 'refused' || answer.file === undefined) return null;
  const { fault, line, columns = [], fields = [] } = answer.file;
  return (
    <p className="text-sm">
      {fault !== undefined && t(fault)} {typeof line === 'number' && t('line', { line })}
      {[...columns, ...fields.map(placeholderLabel)].map((name) => visibleText(name)).join(' · ')}
    </p>
  );
}
