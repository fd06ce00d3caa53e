'use client';

import { useTranslations } from 'next-intl';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';

interface GivenUpProps {
  messages: readonly {
    messageId: string;
    way: 'MAIL' | 'CHAT';
    endedAt: string;
    failure: 'REFUSED' | 'UNREACHABLE' | 'NO_SECRET' | 'KILLED' | 'OTHER';
  }[];
}

/** Messages that never arrived: whoever waits for mail should know that none is coming. */
export function GivenUp({ messages }: GivenUpProps) {
  const t = useTranslations('notifications.choose');
  if (messages.length === 0) return null;
  return (
    <Notice tone="caution" title={t('dead')}>
      <p>{t('deadLead')}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {messages.map(({ messageId, way, endedAt, failure }) => (
          <li key={messageId}>
            {t.rich('deadLine', {
              way: t(`way.${way}`),
              failure: t(`failure.${failure}`),
              time: () => <Instant at={endedAt} look="full" />,
            })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
