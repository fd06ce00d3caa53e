'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/lib/domain/visible-text';
import { type ReadView } from './views-props';

interface ViewRemovalProps {
  view: ReadView;
  pending: boolean;
  onBack: () => void;
  onRemove: () => void;
}

/** Asked once more: others may be using it. */
export function ViewRemoval({ view, pending, onBack, onRemove }: ViewRemovalProps) {
  const t = useTranslations('queue.views');
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>{t(view.tenantIds.length > 0 ? 'removeShared' : 'removeOwn', { name: visibleText(view.name) })}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="danger" pending={pending} onClick={onRemove}>
          {t('remove')}
        </Button>
        <Button onClick={onBack}>{t('back')}</Button>
      </div>
    </div>
  );
}
