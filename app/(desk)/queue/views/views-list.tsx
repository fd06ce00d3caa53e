'use client';

import { useTranslations } from 'next-intl';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { VisibleText } from '@/components/text/visible-text';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/lib/domain/visible-text';
import { type ReadView, type ViewsProps } from './views-props';

interface ViewsListProps extends Pick<ViewsProps, 'tenants' | 'me' | 'isAdmin'> {
  views: readonly ReadView[];
  /** What the queue shows now, as it would be saved. */
  present: string;
  busy: boolean;
  onOpen: () => void;
  onUpdate: (view: ReadView) => void;
  onEdit: (view: ReadView) => void;
  onRemove: (view: ReadView) => void;
}

/** The reader's own views, then those that others share with their tenants. */
export function ViewsList({ views, me, ...rest }: ViewsListProps) {
  const t = useTranslations('queue.views');
  const own = views.filter(({ owner }) => owner.personId === me);
  const shared = views.filter(({ owner }) => owner.personId !== me);
  return (
    <>
      <Part title={t('own')} empty={t('noneOwn')} views={own} isOwn {...rest} />
      <Part title={t('shared')} empty={t('noneShared')} views={shared} isOwn={false} {...rest} />
    </>
  );
}

interface PartProps extends Omit<ViewsListProps, 'me'> {
  title: string;
  empty: string;
  isOwn: boolean;
}

function Part({ title, empty, views, ...rest }: PartProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="text-xs font-medium text-ink-muted">{title}</h3>
      {views.length === 0 ? (
        <p className="text-sm text-ink-muted">{empty}</p>
      ) : (
        <ul className="flex flex-col rounded-md border border-line">
          {views.map((view) => (
            <Line key={view.viewId} view={view} {...rest} />
          ))}
        </ul>
      )}
    </section>
  );
}

type LineProps = Omit<PartProps, 'title' | 'empty' | 'views'> & { view: ReadView };

/** One view: a plain link, for the address is the view; and what its reader may do with it. */
function Line({
  view,
  isOwn,
  isAdmin,
  tenants,
  present,
  busy,
  onOpen,
  onUpdate,
  onEdit,
  onRemove,
}: LineProps) {
  const t = useTranslations('queue.views');
  const path = usePathname();
  const name = visibleText(view.name);
  const isPresent = view.address === present;
  const sharers = view.tenantIds
    .map((id) => visibleText(tenants.find(({ tenantId }) => tenantId === id)?.displayName ?? id))
    .join(', ');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-3 py-2 text-sm last:border-b-0">
      <div className="min-w-40 flex-1">
        <Link
          href={`${path}${view.address}`}
          prefetch={false}
          aria-current={isPresent || undefined}
          onClick={onOpen}
          className="font-medium text-accent underline decoration-line-strong underline-offset-3 [overflow-wrap:anywhere] hover:decoration-current"
        >
          <VisibleText text={view.name} />
        </Link>
        <p className="text-xs text-ink-muted">
          {isOwn
            ? sharers === ''
              ? t('private')
              : t('sharedWith', { tenants: sharers })
            : t('sharedBy', { who: visibleText(view.owner.displayName), tenants: sharers })}
        </p>
        {view.misread.length > 0 && (
          <p className="text-xs text-danger">{t('misread', { names: view.misread.join(', ') })}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-1.5">
        {isOwn && (
          <>
            <Button
              size="sm"
              aria-label={t('updateNamed', { name })}
              pending={busy}
              disabledReason={isPresent ? t('upToDate') : undefined}
              onClick={() => onUpdate(view)}
            >
              {t('update')}
            </Button>
            <Button size="sm" aria-label={t('editNamed', { name })} onClick={() => onEdit(view)}>
              {t('edit')}
            </Button>
          </>
        )}
        {(isOwn || isAdmin) && (
          <Button
            size="sm"
            look="warn"
            aria-label={t('removeNamed', { name })}
            onClick={() => onRemove(view)}
          >
            {t('remove')}
          </Button>
        )}
      </div>
    </li>
  );
}
