'use client';

import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { buttonLook } from './button-look';

/** Milliseconds for which the check mark stays. */
const CONFIRMED_FOR = 1_600;

/** Copies exactly the stored text. `what` names it: "Copy execution key". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const t = useTranslations('common.action');
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={buttonLook({ look: 'ghost', size: 'tiny' })}
      aria-label={t('copyNamed', { what })}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), CONFIRMED_FOR);
        });
      }}
    >
      {copied ? <Check aria-hidden className="text-confirmed" /> : <Copy aria-hidden />}
      <span role="status" className="sr-only">
        {copied ? t('copied') : ''}
      </span>
    </button>
  );
}
