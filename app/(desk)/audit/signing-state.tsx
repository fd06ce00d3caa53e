import { getTranslations } from 'next-intl/server';
import { KeyText } from '@/components/text/key-text';
import { Instant } from '@/components/time/instant';
import { Notice } from '@/components/ui/notice';
import { type Tone } from '@/components/ui/tone';
import { signingStatus, type SigningState as State } from '@/lib/audit/signing-status';

const TONE: Readonly<Record<State, Tone>> = {
  signed: 'quiet',
  late: 'caution',
  unsigned: 'caution',
  alarm: 'danger',
};

/** How far the audit is signed, what is not yet, and the signer's alarm. */
export async function SigningState() {
  const t = await getTranslations('audit.signing');
  const status = await signingStatus().catch(() => null);
  if (status === null) return <Notice tone="caution" role="status" title={t('failed')} />;
  const { state, signed, since, sinceAt, alarm } = status;
  return (
    <Notice
      tone={TONE[state]}
      role="status"
      title={
        alarm !== null
          ? t(`alarm.${alarm.code}`)
          : signed === null
            ? t('never')
            : t(state === 'late' ? 'late' : 'signed', { number: signed.number, count: since })
      }
    >
      {alarm !== null && (
        <p>
          {alarm.number !== null && t('firstBad', { number: alarm.number })} {t('alarmBody')}{' '}
          <Instant at={alarm.since} look="full" />
        </p>
      )}
      {(state === 'late' || state === 'unsigned') && <p>{t('lateBody')}</p>}
      <details className="text-xs text-ink-muted">
        <summary className="cursor-pointer">{t('title')}</summary>
        {signed !== null && (
          <p className="mt-1">
            {t('lastSigned', { number: signed.number })} <Instant at={signed.at} look="full" /> · {t('key')}{' '}
            <KeyText value={signed.keyId} />
          </p>
        )}
        {sinceAt !== null && (
          <p className="mt-1">
            {t('window', { count: since })} <Instant at={sinceAt} look="full" />
          </p>
        )}
        <p className="mt-1">{t('outside', { command: 'npm run audit:verify -- --checkpoints FILE' })}</p>
      </details>
    </Notice>
  );
}
