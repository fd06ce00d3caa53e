import { useTranslations } from 'next-intl';
import { type RequestSummary } from '@/lib/domain/request-summary';
import { visibleText } from '@/lib/domain/visible-text';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';

/** A request about this execution that is on its way: asked, approved or done are three things. */
export function RequestNotice({ requests }: { requests: readonly RequestSummary[] }) {
  const t = useTranslations('exception.request');
  const tKind = useTranslations('approvals.kind');
  const request = requests.find((each) => each.state === 'PENDING' || each.state === 'APPROVED');
  if (request === undefined) return null;
  const approved = request.state === 'APPROVED';
  return (
    <Notice
      tone="progress"
      title={`${t(approved ? 'approvedTitle' : 'pendingTitle')}: ${tKind(request.kind)}`}
      action={
        <LinkButton href={`/approvals/${request.requestId}`} size="sm" className="shrink-0">
          {t('open')}
        </LinkButton>
      }
    >
      {approved ? (
        <p>
          {t.rich('approvedBody', {
            time: () => (request.executeBy === null ? null : <Instant at={request.executeBy} look="full" />),
          })}
        </p>
      ) : (
        <p>
          {t.rich('pendingBody', {
            who: visibleText(request.requestedBy.name ?? request.requestedBy.id),
            ago: () => <Instant at={request.requestedAt} look="ago" />,
          })}{' '}
          {t('decideBy')} <Countdown until={request.decideBy} refreshWhenOver />
        </p>
      )}
    </Notice>
  );
}
