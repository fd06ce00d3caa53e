'use client';

import { useTranslations } from 'next-intl';
import { DAY, HOUR, MINUTE } from '@/lib/domain/spans';
import { visibleLength } from '@/lib/domain/visible-length';
import { useRefusalText } from '../decision/refusal-text';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Segmented } from '../ui/segmented';

const LATER = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, '7d': 7 * DAY } as const;
const CHOICES = ['15m', '1h', '4h', '1d', '7d'] as const satisfies readonly (keyof typeof LATER)[];
const SHORTEST_PLACE = 3;

export interface Deferral {
  readonly later: keyof typeof LATER;
  readonly place: string;
  readonly reason: string;
}

export const NO_DEFERRAL: Deferral = { later: '1h', place: '', reason: '' };

/** Something of it is written, not only chosen. */
export const isWorded = ({ place, reason }: Deferral): boolean => place !== '' || reason !== '';

export const isPlaced = ({ place }: Deferral): boolean => visibleLength(place) >= SHORTEST_PLACE;

/** What the command is sent: the time counts from now. */
export const deferralInput = ({ later, place, reason }: Deferral) => ({
  until: new Date(Date.now() + LATER[later]).toISOString(),
  place,
  reason,
});

interface DeferFieldsProps {
  value: Deferral;
  onChange: (value: Deferral) => void;
  /** Sent once: then what is missing is said. */
  tried: boolean;
}

/** When, where and why to look again, for one exception or for many. */
export function DeferFields({ value, onChange, tried }: DeferFieldsProps) {
  const t = useTranslations('exception.desk');
  const refusalText = useRefusalText();
  return (
    <>
      <div className="flex flex-col items-start gap-1.5">
        <span className="text-sm font-medium">{t('until')}</span>
        <Segmented
          label={t('until')}
          value={value.later}
          onChange={(later) => onChange({ ...value, later })}
          choices={CHOICES.map((choice) => ({ value: choice, label: t(`untilChoice.${choice}`) }))}
          className="relative max-w-full overflow-x-auto"
        />
      </div>
      <Field
        label={t('place')}
        hint={t('placeHint')}
        required
        error={tried && !isPlaced(value) ? refusalText('DEFER_PLACE') : undefined}
      >
        {(control) => (
          <Input
            {...control}
            name="place"
            maxLength={600}
            value={value.place}
            onChange={(event) => onChange({ ...value, place: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('reason')}>
        {(control) => (
          <Input
            {...control}
            name="reason"
            maxLength={2_000}
            value={value.reason}
            onChange={(event) => onChange({ ...value, reason: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
