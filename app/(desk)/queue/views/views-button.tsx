'use client';

import { Bookmark } from 'lucide-react';
import { useTranslations } from 'next-intl';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/lib/domain/visible-text';
import { useQueueAddress } from '../use-queue-address';
import { savedAddress } from './saved-address';
import { type ViewsProps } from './views-props';

// Loaded when it first opens: most visits to the queue open none.
const ViewsDialog = dynamic(async () => (await import('./views-dialog')).ViewsDialog, { ssr: false });

/** The way to the saved views; says which one is open. */
export function ViewsButton(props: ViewsProps) {
  const t = useTranslations('queue.views');
  const { address } = useQueueAddress();
  const [open, setOpen] = useState(false);
  const saved = savedAddress(address);
  const present = saved === '' ? undefined : props.views?.find((view) => view.address === saved);
  return (
    <>
      <Button
        size="sm"
        look="ghost"
        aria-haspopup="dialog"
        className="max-w-60"
        onClick={() => setOpen(true)}
      >
        <Bookmark aria-hidden />
        <span className="min-w-0 truncate">
          {present === undefined ? t('title') : t('present', { name: visibleText(present.name) })}
        </span>
      </Button>
      {open && <ViewsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
