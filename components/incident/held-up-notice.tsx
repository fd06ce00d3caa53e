import { useTranslations } from 'next-intl';
import { type ReportView } from '@/lib/domain/incident-view';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';

/** Why rows of a confirmed report still wait, and when they are tried again. */
export function HeldUpNotice({ heldUp }: { heldUp: NonNullable<ReportView['heldUp']> }) {
  const t = useTranslations('incidents.heldUp');
  return (
    <Notice
      tone="caution"
      className="mb-3"
      title={t.rich('title', { time: () => <Instant at={heldUp.since} look="full" /> })}
    >
      {t.rich('text', {
        count: heldUp.failures,
        error: heldUp.error,
        time: () => <Instant at={heldUp.nextTryAt} look="full" />,
      })}
    </Notice>
  );
}
