'use client';

import { Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { CommandNotice } from '@/components/decision/command-notice';
import { useWish } from '@/components/notification/use-wish';
import { GuardedDialog } from '@/components/shell/guarded-dialog';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useQueueAddress } from '../use-queue-address';
import { savedAddress } from './saved-address';
import { ViewForm, type ViewDraft } from './view-form';
import { ViewRemoval } from './view-removal';
import { ViewsList } from './views-list';
import { type ReadView, type ViewsProps } from './views-props';

type Step = { kind: 'list' } | { kind: 'form'; view: ReadView | null } | { kind: 'removal'; view: ReadView };

/** The saved views: opened, saved, renamed, shared, brought up to what is shown now, and deleted. */
export function ViewsDialog({
  views,
  tenants,
  me,
  isAdmin,
  keep,
  remove,
  onClose,
}: ViewsProps & { onClose: () => void }) {
  const t = useTranslations('queue.views');
  const { address } = useQueueAddress();
  const keeping = useWish(keep);
  const removing = useWish(remove);
  const [step, setStep] = useState<Step>({ kind: 'list' });
  const [last, setLast] = useState<'keep' | 'remove' | null>(null);
  const [dirty, setDirty] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const go = (next: Step) => {
    moved.current = true;
    setDirty(false);
    setStep(next);
  };
  // What was pressed has gone with its step: the keyboard begins anew at what has come.
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const first = step.kind === 'form' ? region.current?.querySelector('input') : null;
    (first ?? region.current)?.focus();
  }, [step]);
  const send = async (draft: ViewDraft) => {
    setLast('keep');
    const answer = await keeping.send({ ...draft });
    if (answer.outcome === 'done' && step.kind !== 'list') go({ kind: 'list' });
  };
  const take = async (view: ReadView) => {
    setLast('remove');
    await removing.send({ viewId: view.viewId, version: view.version });
    go({ kind: 'list' });
  };
  const present = savedAddress(address);
  const { state, done } =
    last === 'remove'
      ? { state: removing.state, done: t('removed') }
      : { state: keeping.state, done: t('kept') };
  return (
    <GuardedDialog
      open
      dirty={dirty}
      onClose={onClose}
      title={
        step.kind === 'list'
          ? t('title')
          : t(step.kind === 'removal' ? 'remove' : step.view === null ? 'save' : 'edit')
      }
      description={t('lead')}
      width="lg"
    >
      <div ref={region} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {last !== null && <CommandNotice state={state} done={done} />}
        {step.kind === 'list' && (
          <>
            <div>
              <Button look="primary" onClick={() => go({ kind: 'form', view: null })}>
                <Plus aria-hidden />
                {t('saveThis')}
              </Button>
            </div>
            {views === null ? (
              <Notice tone="caution">{t('unread')}</Notice>
            ) : (
              <ViewsList
                {...{ views, tenants, me, isAdmin, present }}
                busy={keeping.pending || removing.pending}
                onOpen={onClose}
                onUpdate={({ viewId, version, name, tenantIds }) =>
                  void send({ viewId, version, name, tenantIds, address: present })
                }
                onEdit={(view) => go({ kind: 'form', view })}
                onRemove={(view) => go({ kind: 'removal', view })}
              />
            )}
          </>
        )}
        {step.kind === 'form' && (
          <ViewForm
            view={step.view}
            tenants={tenants}
            pending={keeping.pending}
            onTyped={() => setDirty(true)}
            onBack={() => go({ kind: 'list' })}
            onSend={(draft) => void send(draft)}
          />
        )}
        {step.kind === 'removal' && (
          <ViewRemoval
            view={step.view}
            pending={removing.pending}
            onBack={() => go({ kind: 'list' })}
            onRemove={() => void take(step.view)}
          />
        )}
      </div>
    </GuardedDialog>
  );
}
