import { useTranslations } from 'next-intl';
import { VisibleText } from '../text/visible-text';
import { Panel } from '../ui/panel';
import { DisplayValue, fieldName } from './display-value';

/** The fields of the request that the policy keeps in clear. */
export function AskedPanel({
  display,
  expired,
  title,
}: {
  display: Readonly<Record<string, unknown>>;
  /** Retention has taken what was kept. */
  expired: boolean;
  /** Where another content is asked for beside it, whose this one is. */
  title?: string;
}) {
  const t = useTranslations('exception.asked');
  const common = useTranslations('common');
  const fields = Object.entries(display);
  return (
    <Panel title={title ?? t('title')}>
      {fields.length === 0 ? (
        <p className="text-sm text-ink-muted">{t(expired ? 'gone' : 'none')}</p>
      ) : (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {fields.map(([pointer, value]) => (
            <div key={pointer} className="contents">
              <dt className="text-ink-muted">
                <VisibleText text={fieldName(pointer)} />
              </dt>
              <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">
                {value === null ? common('state.none') : <DisplayValue value={value} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
