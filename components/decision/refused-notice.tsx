'use client';

import { useTranslations } from 'next-intl';
import { Notice } from '../ui/notice';
import { useDecisionDesk } from './decision-desk';
import { useRefusalText } from './refusal-text';

/** The person's own decision was refused and the page has moved on so that its form is gone: what was refused, and why. */
export function RefusedNotice() {
  const t = useTranslations('decisions');
  const { view, about, lastRefused } = useDecisionDesk();
  const refusalText = useRefusalText(about);
  // While its form is there, the form itself says so beside its button.
  const gone = lastRefused !== null && view.offers.every((offer) => offer.decision !== lastRefused.decision);
  return (
    <div role="status" className="empty:hidden">
      {gone && (
        <Notice
          tone="danger"
          title={`${t(`decision.${lastRefused.decision}.title`)}: ${t('notice.refused')}`}
        >
          {refusalText(lastRefused.answer.code, lastRefused.answer)}
        </Notice>
      )}
    </div>
  );
}
