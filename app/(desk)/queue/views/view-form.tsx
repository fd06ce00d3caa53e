'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { CheckList } from '@/components/admin/check-list';
import { Button } from '@/components/ui/button';
import { DialogForm } from '@/components/ui/dialog-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { isViewName, LONGEST_VIEW_NAME, viewName } from '@/lib/domain/queue-view';
import { visibleText } from '@/lib/domain/visible-text';
import { useQueueAddress } from '../use-queue-address';
import { savedAddress } from './saved-address';
import { type ReadView, type ViewsProps } from './views-props';

export interface ViewDraft {
  viewId: string;
  version: number | null;
  name: string;
  address: string;
  tenantIds: readonly string[];
}

interface ViewFormProps {
  /** Null: a new one, of what is shown now. */
  view: ReadView | null;
  tenants: ViewsProps['tenants'];
  pending: boolean;
  onTyped: () => void;
  onBack: () => void;
  onSend: (draft: ViewDraft) => void;
}

/** A view's name and with whom it is shared; a new one keeps the filters that are shown now. */
export function ViewForm({ view, tenants, pending, onTyped, onBack, onSend }: ViewFormProps) {
  const t = useTranslations('queue.views');
  const { address } = useQueueAddress();
  // Made with the form: sent again, it is the same view.
  const [viewId] = useState(() => view?.viewId ?? crypto.randomUUID());
  const [name, setName] = useState(view?.name ?? '');
  const [tenantIds, setTenantIds] = useState<readonly string[]>(view?.tenantIds ?? []);
  const [tried, setTried] = useState(false);
  const wrong = tried && !isViewName(viewName(name));
  const send = () => {
    setTried(true);
    if (!isViewName(viewName(name))) return;
    onSend({
      ...{ viewId, version: view?.version ?? null, name, tenantIds },
      address: view?.address ?? savedAddress(address),
    });
  };
  return (
    <DialogForm id="queue-view" onSubmit={send} notice={null} answer={null} onTyped={onTyped}>
      <Field
        label={t('name')}
        required
        error={wrong ? t('nameError', { most: LONGEST_VIEW_NAME }) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <CheckList
        label={t('share')}
        hint={t('shareHint')}
        choices={tenants.map(({ tenantId, displayName }) => ({
          value: tenantId,
          label: visibleText(displayName),
        }))}
        chosen={tenantIds}
        onChange={setTenantIds}
      />
      {view === null && address.q !== null && <p className="text-xs text-ink-muted">{t('withoutWords')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" pending={pending}>
          {t(view === null ? 'save' : 'keep')}
        </Button>
        <Button onClick={onBack}>{t('back')}</Button>
      </div>
    </DialogForm>
  );
}
