'use client';

import { useTranslations } from 'next-intl';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { useSpan } from '../time/span-words';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Segmented } from '../ui/segmented';
import { useDraft } from './decision-desk';
import { FormFrame } from './form-frame';
import { isLongEnough, RationaleField } from './rationale-field';

/** Seconds that a person can add at once; up to a day by the database's rule. */
const EXTENSIONS = ['300', '900', '3600', '14400', '86400'] as const;

/** Wait longer: the owner was heard from. */
export function ExtendForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const span = useSpan();
  const [rationale, setRationale] = useDraft('EXTEND', 'rationale');
  const [chosen, choose] = useDraft('EXTEND', 'seconds');
  const seconds = EXTENSIONS.find((each) => each === chosen) ?? '900';
  return (
    <FormFrame
      offer={offer}
      does={t('decision.EXTEND.does')}
      button={t('decision.EXTEND.button', { span: span(Number(seconds) * 1_000) })}
      read={() => (isLongEnough(rationale) ? { rationale, seconds: Number(seconds) } : null)}
    >
      {(tried) => (
        <>
          <div className="flex flex-col items-start gap-1.5">
            <span className="text-sm font-medium">{t('field.seconds')}</span>
            <Segmented
              label={t('field.seconds')}
              value={seconds}
              onChange={choose}
              choices={EXTENSIONS.map((value) => ({ value, label: span(Number(value) * 1_000) }))}
              className="relative max-w-full overflow-x-auto"
            />
          </div>
          <RationaleField name="EXTEND-rationale" value={rationale} onChange={setRationale} tried={tried} />
        </>
      )}
    </FormFrame>
  );
}

/** Let executors try the same key again. */
export function AttemptsForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const [rationale, setRationale] = useDraft('ALLOW_ATTEMPTS', 'rationale');
  const [typed, setTyped] = useDraft('ALLOW_ATTEMPTS', 'attempts');
  const attempts = typed === '' ? 1 : Number(typed);
  const valid = Number.isInteger(attempts) && attempts >= 1 && attempts <= 10;
  return (
    <FormFrame
      offer={offer}
      does={t('decision.ALLOW_ATTEMPTS.does')}
      button={t('decision.ALLOW_ATTEMPTS.button', { count: valid ? attempts : 1 })}
      read={() => (valid && isLongEnough(rationale) ? { rationale, attempts } : null)}
    >
      {(tried) => (
        <>
          <Field
            label={t('field.attempts')}
            required
            error={valid ? undefined : t('refusal.attemptsOutOfRange')}
          >
            {(control) => (
              <Input
                {...control}
                name="attempts"
                type="number"
                inputMode="numeric"
                min={1}
                max={10}
                value={typed === '' ? '1' : typed}
                onChange={(event) => setTyped(event.target.value)}
                className="w-24"
              />
            )}
          </Field>
          <RationaleField
            name="ALLOW_ATTEMPTS-rationale"
            value={rationale}
            onChange={setRationale}
            tried={tried}
          />
        </>
      )}
    </FormFrame>
  );
}
