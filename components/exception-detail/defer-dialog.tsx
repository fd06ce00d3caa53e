'use client';

import { Hourglass } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { DAY, HOUR, MINUTE } from '@/lib/domain/spans';
import { visibleLength } from '@/lib/domain/visible-length';
import { CommandNotice } from '../decision/command-notice';
import { useRefusalText } from '../decision/refusal-text';
import { useCommand } from '../decision/use-command';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { DialogForm } from '../ui/dialog-form';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Segmented } from '../ui/segmented';
import { type DeskActions } from './desk-actions';

const LATER = { '15m': 15 * MINUTE, '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, '7d': 7 * DAY } as const;
const CHOICES = ['15m', '1h', '4h', '1d', '7d'] as const satisfies readonly (keyof typeof LATER)[];
const SHORTEST_PLACE = 3;

/** A deferred exception keeps an owner, a next check time and a place to look; it stays unresolved. */
export function DeferDialog({ view, actions }: { view: ExceptionView; actions: DeskActions }) {
  const t = useTranslations('exception.desk');
  const tHead = useTranslations('exception.head');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const { state, send, clear, pending } = useCommand(actions.defer, actions.settle);
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [later, setLater] = useState<(typeof CHOICES)[number]>('1h');
  const [place, setPlace] = useState('');
  const [reason, setReason] = useState('');
  const form = useId();
  const { exception, deskRefusal } = view;
  const placed = visibleLength(place) >= SHORTEST_PLACE;
  const answered = state.phase === 'answered' ? state.answer : null;
  const submit = async () => {
    setTried(true);
    if (!placed) return;
    const answer = await send({
      exceptionId: exception.exceptionId,
      exceptionVersion: exception.version,
      until: new Date(Date.now() + LATER[later]).toISOString(),
      place,
      reason,
    });
    if (answer?.outcome !== 'done') return;
    setOpen(false);
    setTried(false);
    setPlace('');
    setReason('');
  };
  return (
    <div className="flex flex-col gap-2 text-sm">
      {exception.deferredUntil !== null && (
        <p className="text-ink-muted">
          {tHead.rich('deferred', {
            time: () => <Instant at={exception.deferredUntil ?? ''} look="full" />,
            place: () => <VisibleText text={exception.nextPlace ?? ''} />,
          })}
        </p>
      )}
      <Button
        size="sm"
        className="self-start"
        onClick={() => {
          clear();
          setOpen(true);
        }}
        disabledReason={deskRefusal === null ? undefined : refusalText(deskRefusal)}
      >
        <Hourglass aria-hidden />
        {t('defer')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('deferTitle')}
        description={t('deferLead')}
        dismissible={place === '' && reason === ''}
        footer={
          <Button type="submit" form={form} look="primary" pending={pending}>
            {t('defer')}
          </Button>
        }
      >
        <DialogForm
          id={form}
          onSubmit={() => void submit()}
          answer={answered}
          notice={
            <CommandNotice state={state} done={t('deferred')} about={{ roles: ['OPERATOR', 'APPROVER'] }} />
          }
        >
          <div className="flex flex-col items-start gap-1.5">
            <span className="text-sm font-medium">{t('until')}</span>
            <Segmented
              label={t('until')}
              value={later}
              onChange={setLater}
              choices={CHOICES.map((value) => ({ value, label: t(`untilChoice.${value}`) }))}
              className="relative max-w-full overflow-x-auto"
            />
          </div>
          <Field
            label={t('place')}
            hint={t('placeHint')}
            required
            error={tried && !placed ? refusalText('DEFER_PLACE') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="place"
                maxLength={600}
                value={place}
                onChange={(event) => setPlace(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('reason')}>
            {(control) => (
              <Input
                {...control}
                name="reason"
                maxLength={2_000}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        </DialogForm>
      </Dialog>
    </div>
  );
}
