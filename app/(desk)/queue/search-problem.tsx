import { useTranslations } from 'next-intl';
import { visibleText } from '@/lib/domain/visible-text';
import { type QueryProblem } from '@/lib/domain/parse-queue-query';
import { Button } from '@/components/ui/button';

interface SearchProblemProps {
  id: string;
  problems: readonly QueryProblem[];
  onMend: (problem: QueryProblem) => void;
}

/** What is not understood, where it stands, and what was most likely meant. The list is as it was. */
export function SearchProblems({ id, problems, onMend }: SearchProblemProps) {
  const t = useTranslations('queue.query');
  return (
    <div id={id} role="alert" className="flex flex-col gap-1 text-xs text-danger">
      {problems.map((problem) => (
        <p key={`${problem.from}-${problem.to}`} className="flex flex-wrap items-center gap-x-2">
          <span>
            {t(`problem.${problem.reason}`, {
              word: visibleText(problem.word),
              field: problem.field ?? '',
              place: problem.from + 1,
            })}
          </span>
          {problem.suggestion !== null && (
            <Button size="sm" look="ghost" onClick={() => onMend(problem)}>
              {t('meant', { word: problem.suggestion })}
            </Button>
          )}
        </p>
      ))}
      <p className="text-ink-muted">{t('unchanged')}</p>
    </div>
  );
}
