'use client';

import { Columns3 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { type ColumnsProps } from './columns-props';

// Loaded when it first opens: most visits to the queue open none.
const ColumnsDialog = dynamic(async () => (await import('./columns-dialog')).ColumnsDialog, { ssr: false });

/** The way to the table's columns; cards on a phone show all of them. */
export function ColumnsButton(props: ColumnsProps) {
  const t = useTranslations('queue.columns');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        look="ghost"
        aria-haspopup="dialog"
        className="max-md:hidden"
        onClick={() => setOpen(true)}
      >
        <Columns3 aria-hidden />
        {t('title')}
      </Button>
      {open && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
