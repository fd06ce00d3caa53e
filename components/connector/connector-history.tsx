import { useTranslations } from 'next-intl';
import { type ConnectorVersionView } from '@/lib/domain/connector-view';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Panel } from '../ui/panel';
import { RecipeDifferenceTable } from './recipe-difference';
import { RecipeText } from './recipe-text';

/** Every version, newest first: by whom and why, what it changed, and what it said. */
export function ConnectorHistory({ versions }: { versions: readonly ConnectorVersionView[] }) {
  const t = useTranslations('connectors');
  return (
    <Panel title={t('history.title')}>
      {versions.length === 0 ? (
        <p className="text-sm text-ink-muted">{t('history.none')}</p>
      ) : (
        <ol className="flex flex-col divide-y divide-line text-sm">
          {versions.map((each, index) => (
            <li key={each.version} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{t('version', { version: each.version })}</span>
                {each.retired && <span className="text-xs text-ink-muted">{t('history.retired')}</span>}
                {index === 0 && !each.retired && (
                  <span className="text-xs text-ink-muted">{t('history.present')}</span>
                )}
              </p>
              <p className="text-xs text-ink-muted">
                <VisibleText text={each.by.displayName} />, <Instant at={each.at} look="full" />
                {' · '}
                {each.proposedBy === null
                  ? t('history.installed')
                  : t.rich('history.asked', {
                      who: () => <VisibleText text={each.proposedBy?.displayName ?? ''} />,
                    })}
              </p>
              {each.reason !== null && (
                <blockquote className="border-l-2 border-line-strong pl-3 text-ink-muted">
                  <VisibleText text={each.reason} paragraphs />
                </blockquote>
              )}
              <details className="rounded-md border border-line px-3 py-2">
                <summary className="cursor-pointer text-xs font-medium">{t('history.show')}</summary>
                <div className="mt-3 flex flex-col gap-4">
                  {versions[index + 1] !== undefined && (
                    <RecipeDifferenceTable before={versions[index + 1] ?? null} after={each} />
                  )}
                  <RecipeText recipe={each.recipe} />
                </div>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
