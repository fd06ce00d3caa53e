'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { DIGESTS, type NotificationSettings } from '@/lib/domain/notification-settings';
import { type CommandAction } from '../decision/command-action';
import { CommandNotice } from '../decision/command-notice';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { Field } from '../ui/field';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { Input } from '../ui/input';
import { Notice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { Select } from '../ui/select';
import { draftOf, problemsOf, settingsOf, type SettingsDraft } from './settings-draft';
import { useWish } from './use-wish';
import { WaysTable } from './ways-table';

interface SettingsFormProps {
  settings: NotificationSettings;
  hasMail: boolean;
  choose: CommandAction;
}

/** What goes out beside the inbox, and when. */
export function SettingsForm({ settings, hasMail, choose }: SettingsFormProps) {
  const t = useTranslations('notifications.choose');
  const { state, send, pending } = useWish(choose);
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = tried ? problemsOf(draft) : {};
  const change = (part: Partial<SettingsDraft>) => setDraft((present) => ({ ...present, ...part }));
  const submit = () => {
    setTried(true);
    if (Object.keys(problemsOf(draft)).length > 0) return focusFirstInvalid(form.current);
    void send({ ...settingsOf(draft) });
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex max-w-2xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {!hasMail && <Notice tone="caution">{t('mailOff')}</Notice>}
      <Panel title={t('ways')}>
        <WaysTable mail={draft.mail} chat={draft.chat} onChange={change} />
        <div className="mt-3">
          <Field
            label={t('chatSecret')}
            hint={t('chatSecretHint')}
            error={problems.chatSecret && t(problems.chatSecret)}
          >
            {(control) => (
              <Input
                {...control}
                value={draft.chatSecret}
                maxLength={61}
                placeholder="CHAT_"
                onChange={(event) => change({ chatSecret: event.target.value })}
              />
            )}
          </Field>
        </div>
      </Panel>
      <TimesPanel draft={draft} change={change} problems={problems} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" pending={pending}>
          {t('save')}
        </Button>
        <CommandNotice state={state} done={t('saved')} onSendAgain={submit} />
      </div>
    </form>
  );
}

interface TimesPanelProps {
  draft: SettingsDraft;
  change: (part: Partial<SettingsDraft>) => void;
  problems: ReturnType<typeof problemsOf>;
}

function TimesPanel({ draft, change, problems }: TimesPanelProps) {
  const t = useTranslations('notifications.choose');
  const time = (label: 'dailyFrom' | 'quietFrom' | 'quietTo', error?: string) => (
    <Field label={t(label)} required error={error}>
      {(control) => (
        <Input
          {...control}
          type="time"
          value={draft[label]}
          onChange={(event) => change({ [label]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Panel title={t('when')}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('digest')} required>
          {(control) => (
            <Select
              {...control}
              value={draft.digest}
              onChange={(event) => change({ digest: event.target.value as SettingsDraft['digest'] })}
              choices={DIGESTS.map((value) => ({ value, label: t(`digestChoice.${value}`) }))}
            />
          )}
        </Field>
        {draft.digest === 'DAILY' && time('dailyFrom')}
        <div className="sm:col-span-2">
          <CheckField
            name="quiet"
            label={t('quiet')}
            shortLabel={t('quiet')}
            checked={draft.isQuiet}
            onChange={(isQuiet) => change({ isQuiet })}
          />
          {draft.isQuiet && <p className="mt-1 ml-6 text-xs text-ink-muted">{t('quietHint')}</p>}
        </div>
        {draft.isQuiet && (
          <>
            {time('quietFrom')}
            {time('quietTo', problems.quietTo && t(problems.quietTo))}
          </>
        )}
        <div className="sm:col-span-2">
          <CheckField
            name="breaksQuiet"
            label={t('breaksQuiet')}
            shortLabel={t('breaksQuiet')}
            checked={draft.breaksQuiet}
            onChange={(breaksQuiet) => change({ breaksQuiet })}
          />
        </div>
        <Field label={t('timeZone')} required error={problems.timeZone && t(problems.timeZone)}>
          {(control) => (
            <Input
              {...control}
              value={draft.timeZone}
              maxLength={64}
              onChange={(event) => change({ timeZone: event.target.value })}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}
