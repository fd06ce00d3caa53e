'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { KEY_MAP, type KeyLine } from './key-map';
import { KEYS_COOKIE, NEXT_COOKIE, rememberedPreference, rememberPreference } from './preferences';

const GROUPS = ['anywhere', 'list', 'exception'] as const;

/** Every key of the desk, and the switch for those of one letter. */
export function KeyMapDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('common.keys');
  return (
    <Dialog
      open
      width="lg"
      title={t('title')}
      description={t('lead')}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group} aria-labelledby={`keys-${group}`}>
            <h3 id={`keys-${group}`} className="mb-1.5 text-xs font-medium text-ink-muted">
              {t(`group.${group}`)}
            </h3>
            <dl className="flex flex-col text-sm">
              {(KEY_MAP[group] as readonly KeyLine[]).map(({ keys, act }) => (
                <div
                  key={act}
                  className="flex min-h-8 items-center justify-between gap-4 border-b border-line last:border-0"
                >
                  <dt>{t(`act.${act}`)}</dt>
                  <dd className="flex shrink-0 items-center gap-1">
                    {keys
                      .flatMap((key) => key.split('+'))
                      .map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section aria-labelledby="keys-choices" className="flex flex-col gap-2">
          <h3 id="keys-choices" className="text-xs font-medium text-ink-muted">
            {t('choices')}
          </h3>
          <Switch cookie={KEYS_COOKIE} label={t('single')} hint={t('singleHint')} />
          <Switch cookie={NEXT_COOKIE} label={t('afterwards')} hint={t('afterwardsHint')} />
        </section>
      </div>
    </Dialog>
  );
}

function Switch({ cookie, label, hint }: { cookie: string; label: string; hint: string }) {
  const [on, setOn] = useState(rememberedPreference(cookie) !== 'off');
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => {
          setOn(event.target.checked);
          rememberPreference(cookie, event.target.checked ? 'on' : 'off');
        }}
        className="mt-0.5 size-4 accent-accent-strong"
      />
      <span>
        {label}
        <span className="block text-xs text-ink-muted">{hint}</span>
      </span>
    </label>
  );
}
