import { useTranslations } from 'next-intl';
import { type LifeLine } from '@/lib/domain/life-line';
import { Badge } from '../ui/badge';
import { lifeLook } from './life-look';
import { useLifeWords } from './use-life-words';

/** The words of every shape that is drawn, with how often it is. */
export function LifeLegend({ line }: { line: LifeLine }) {
  const t = useTranslations('life');
  const wordsOf = useLifeWords();
  return (
    <dl className="mt-3 flex flex-col gap-y-1 border-t border-line pt-2 text-xs">
      {line.lanes.map(({ lane, groups }) => {
        const sorts = [...new Set(groups.map(({ items }) => items[0].sort))];
        if (sorts.length === 0) return null;
        return (
          <div key={lane} className="flex items-baseline">
            <dt className="w-22 shrink-0 pr-2 text-right text-ink-muted sm:w-28">{t(`lane.${lane}`)}</dt>
            <dd>
              <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
                {sorts.map((sort) => {
                  const { icon, tone } = lifeLook(lane, sort);
                  const count = groups
                    .filter((group) => group.sort === sort)
                    .flatMap(({ items }) => items).length;
                  return (
                    <li key={sort}>
                      <Badge icon={icon} tone={tone} look="plain" className="text-xs [&>span]:text-wrap">
                        {wordsOf(lane, sort)}
                        {count > 1 && <span className="tabular text-ink-muted"> ×{count}</span>}
                      </Badge>
                    </li>
                  );
                })}
              </ul>
            </dd>{' '}
          </div>
        );
      })}
    </dl>
  );
}
