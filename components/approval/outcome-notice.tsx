import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type RequestView } from '@/lib/domain/request-view';
import { voidReasonText } from '../decision/void-reason';
import { KeyText } from '../text/key-text';
import { Notice } from '../ui/notice';
import { REQUEST_STATE_LOOK } from './request-look';

/** How the request ended, or that approved is not yet done. Ended requests stay readable for ever. */
export function OutcomeNotice({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.detail');
  const tVoid = useTranslations('approvals.voidReason');
  const { state } = request;
  if (state === 'PENDING') {
    return request.basisChanged ? <Notice tone="caution">{t('basisChanged')}</Notice> : null;
  }
  return (
    <Notice tone={REQUEST_STATE_LOOK[state].tone}>
      <p>
        {state === 'VOID'
          ? t('ended.VOID', { reason: voidReasonText(tVoid, request.voidReason) })
          : t(`ended.${state}`)}
      </p>
      {request.newExecution !== null && (
        <p className="mt-1">
          {t('newKey')}:{' '}
          <Link
            href={`/executions/${request.newExecution.executionId}`}
            className="text-accent underline underline-offset-3"
          >
            <KeyText value={request.newExecution.key} />
          </Link>
        </p>
      )}
    </Notice>
  );
}
