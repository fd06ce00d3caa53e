import { useTranslations } from 'next-intl';
import { type SigningCheckpoint } from '@/lib/domain/signing-checkpoint';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';

/** By which checkpoint an event is signed, or that it is not yet: what the database tells, for whoever compares. */
export function SignedByText({ checkpoint }: { checkpoint: SigningCheckpoint | null }) {
  const t = useTranslations('audit.signedBy');
  return (
    <p className="text-sm text-ink-muted">
      {checkpoint === null
        ? t('notYet')
        : t.rich('by', {
            number: checkpoint.number,
            key: () => <KeyText value={checkpoint.keyId} />,
            time: () => <Instant at={checkpoint.at} look="full" className="tabular" />,
          })}
    </p>
  );
}
