'use client';

import { useTranslations } from 'next-intl';
import { CopyButton } from '../ui/copy-button';
import { Notice } from '../ui/notice';

/** A secret that nobody can be shown again. */
export function ShownOnce({ text, what }: { text: string; what: string }) {
  const t = useTranslations('admin.once');
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="caution" role="status" title={t('title', { what })}>
        {t('body')}
      </Notice>
      <div className="flex items-start gap-2 rounded-md border border-line bg-sunken px-3 py-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{text}</code>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}
