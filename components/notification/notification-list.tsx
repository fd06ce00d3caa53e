'use client';

import { Check } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type NotificationRow } from '@/lib/domain/notification-row';
import { placeOf } from '@/lib/domain/notifications';
import { SHOWN_TO } from '@/lib/domain/shown-to';
import { visibleText } from '@/lib/domain/visible-text';
import { useShownTo } from '../access/own-account';
import { type CommandAction } from '../decision/command-action';
import { KindBadge } from '../exception/kind-badge';
import { SeverityMark } from '../exception/severity-mark';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { REASON_ICON } from './reason-look';
import { useWish } from './use-wish';

interface NotificationListProps {
  rows: readonly NotificationRow[];
  markRead: CommandAction;
}

/** What concerns the reader, newest first. Following a link reads it; a word beside the dot says what is unread. */
export function NotificationList({ rows, markRead }: NotificationListProps) {
  const t = useTranslations('notifications');
  return (
    <ul aria-label={t('list')} className="flex flex-col divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <NotificationItem key={row.notificationId} row={row} markRead={markRead} />
      ))}
    </ul>
  );
}

function titleOf(row: NotificationRow, t: ReturnType<typeof useTranslations<'notifications'>>): string {
  if (row.actor === null) return t(`bySystem.${row.reason}`);
  const who = visibleText(row.actor.displayName);
  return row.jobRows === null
    ? t(`byPerson.${row.reason}`, { who })
    : t('givenTogether', { who, count: row.jobRows });
}

function NotificationItem({ row, markRead }: { row: NotificationRow; markRead: CommandAction }) {
  const t = useTranslations('notifications');
  const { send, pending } = useWish(markRead);
  const Icon = REASON_ICON[row.reason];
  const unread = row.readAt === null;
  const shownTo = useShownTo();
  const ids = [row.notificationId];
  const read = () => void send({ ids });
  // After the way to the page has begun: it is not to wait for the mark, nor to be turned round by a new look at this list.
  const readOnTheWay = () =>
    setTimeout(() => void markRead({ ids, [SHOWN_TO]: shownTo }).catch(() => undefined), 0);
  const title = titleOf(row, t);
  return (
    <li className={classNames('flex items-start gap-3 px-4 py-3 md:px-6', unread && 'bg-accent-soft/40')}>
      <Icon
        aria-hidden
        className={classNames('mt-0.5 size-4 shrink-0', unread ? 'text-accent' : 'text-ink-faint')}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="text-sm">
          <Link
            href={placeOf(row)}
            onClick={unread ? readOnTheWay : undefined}
            className={classNames('[overflow-wrap:anywhere] hover:underline', unread && 'font-medium')}
          >
            {title}
          </Link>
          {unread && <span className="ml-2 text-xs whitespace-nowrap text-accent">● {t('unread')}</span>}
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-muted">
          {row.exception !== null && (
            <>
              <KindBadge kind={row.exception.kind} />
              <SeverityMark severity={row.exception.severity} />
              <span className="[overflow-wrap:anywhere]">
                <VisibleText text={row.exception.operation} />
              </span>
              <span>{t(`state.${row.exception.state}`)}</span>
            </>
          )}
          {row.proposal !== null && (
            <span className="[overflow-wrap:anywhere]">
              {t(`proposal.${row.proposal.of}`)}
              {row.proposal.of !== 'RIGHTS' && (
                <>
                  {': '}
                  <VisibleText text={row.proposal.subject} />
                </>
              )}
            </span>
          )}
          <VisibleText text={row.tenantName} />
          <Instant at={row.madeAt} look="ago" />
        </div>
      </div>
      {unread && (
        <Button
          size="sm"
          look="ghost"
          pending={pending}
          aria-label={`${t('markOne')}: ${title}`}
          onClick={read}
        >
          <Check aria-hidden />
          <span className="max-sm:sr-only">{t('markOne')}</span>
        </Button>
      )}
    </li>
  );
}
