'use client';

import { useTranslations } from 'next-intl';
import { NOTIFICATION_REASONS, type NotificationReason } from '@/lib/domain/notifications';

interface WaysTableProps {
  mail: readonly NotificationReason[];
  chat: readonly NotificationReason[];
  onChange: (
    change: { mail: readonly NotificationReason[] } | { chat: readonly NotificationReason[] },
  ) => void;
}

/** Which reason goes which way. The inbox stands there to say that it gets everything. */
export function WaysTable({ mail, chat, onChange }: WaysTableProps) {
  const t = useTranslations('notifications');
  const toggled = (list: readonly NotificationReason[], reason: NotificationReason, on: boolean) =>
    on ? [...list, reason] : list.filter((each) => each !== reason);
  const box = (way: 'MAIL' | 'CHAT', reason: NotificationReason) => {
    const list = way === 'MAIL' ? mail : chat;
    return (
      <td className="p-0 text-center">
        <label className="inline-flex size-9 items-center justify-center">
          <input
            type="checkbox"
            aria-label={t('choose.wayOf', { way: t(`choose.way.${way}`), reason: t(`reason.${reason}`) })}
            checked={list.includes(reason)}
            onChange={(event) => {
              const next = toggled(list, reason, event.target.checked);
              onChange(way === 'MAIL' ? { mail: next } : { chat: next });
            }}
            className="size-4 accent-accent-strong"
          />
        </label>
      </td>
    );
  };
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b border-line text-left text-xs text-ink-muted">
          <th scope="col" className="py-1.5 font-medium">
            {t('choose.reasonColumn')}
          </th>
          {(['INBOX', 'MAIL', 'CHAT'] as const).map((way) => (
            <th key={way} scope="col" className="w-18 py-1.5 text-center font-medium">
              {t(`choose.way.${way}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {NOTIFICATION_REASONS.map((reason) => (
          <tr key={reason}>
            <th scope="row" className="py-1 pr-2 text-left font-normal">
              {t(`reason.${reason}`)}
            </th>
            <td className="text-center text-xs text-ink-muted">{t('choose.always')}</td>
            {box('MAIL', reason)}
            {box('CHAT', reason)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
