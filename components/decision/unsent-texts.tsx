'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { visibleLength } from '@/lib/domain/visible-length';
import { VisibleText } from '../text/visible-text';
import { CopyButton } from '../ui/copy-button';
import { Notice } from '../ui/notice';
import { useDecisionDesk } from './decision-desk';

/** Fields in which sentences are written; the others hold choices and ids of the page. */
const WRITTEN = ['.rationale', '.originalFate', '.impact'];

/** Text that was being written when somebody else settled the exception: nothing typed is ever thrown away. */
export function UnsentTexts() {
  const t = useTranslations('decisions');
  const { drafts, present } = useDecisionDesk();
  const place = useRef<HTMLDivElement>(null);
  const texts = Object.entries(drafts).filter(
    ([name, text]) => WRITTEN.some((field) => name.endsWith(field)) && visibleLength(text) > 0,
  );
  const stranded = present.exceptionState !== 'OPEN' && texts.length > 0;
  useEffect(() => {
    // The field that held the focus has left the page; without this the keyboard would start at its top again.
    if (stranded && document.activeElement === document.body) place.current?.focus();
  }, [stranded]);
  if (!stranded) return null;
  return (
    <div ref={place} tabIndex={-1}>
      <Notice tone="caution" role="alert" title={t('changed.settledTitle')}>
        <p>{t('changed.settledLead')}</p>
        {texts.map(([name, text]) => (
          <div key={name} className="mt-2 flex items-start gap-2 rounded-sm bg-surface px-2.5 py-1.5">
            <p className="min-w-0 flex-1">
              <VisibleText text={text} paragraphs />
            </p>
            <CopyButton text={text} what={t('field.rationale')} />
          </div>
        ))}
      </Notice>
    </div>
  );
}
