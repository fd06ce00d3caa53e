'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { type ShippedRecipeView } from '@/lib/domain/connector-view';
import { Button } from '../ui/button';
import { DialogForm } from '../ui/dialog-form';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { startAddress } from './start-address';

interface ShippedSettingsProps {
  shipped: ShippedRecipeView;
  title: string;
  given: Readonly<Record<string, string>>;
}

/** What a recipe cannot know; checked before it goes into an address, where a pasted secret must never stand. */
export function ShippedSettings({ shipped, title, given }: ShippedSettingsProps) {
  const t = useTranslations('connectors');
  const router = useRouter();
  const form = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(shipped.settings.map((each) => [each.name, given[each.name] ?? each.default ?? ''])),
  );
  const [tried, setTried] = useState(false);
  const errorOf = ({ name, pattern, example }: ShippedRecipeView['settings'][number]) => {
    const value = values[name] ?? '';
    if (value === '') return t('form.needed');
    return new RegExp(pattern).test(value) ? undefined : t('start.settingWrong', { example });
  };
  const fill = () => {
    setTried(true);
    if (shipped.settings.some((each) => errorOf(each) !== undefined)) return;
    router.push(startAddress('shipped', shipped.name, values));
  };
  return (
    <div className="mt-4 border-t border-line pt-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="mt-1 mb-3 text-sm text-ink-muted">{t('start.settingsLead')}</p>
      <DialogForm id={form} onSubmit={fill} answer={null} notice={null}>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {shipped.settings.map((setting) => {
            const name = setting.name as 'system';
            return (
              <Field
                key={name}
                label={t(`setting.${name}.label`)}
                hint={`${t(`setting.${name}.hint`)} ${t('start.example', { example: setting.example })}`}
                required
                error={tried ? errorOf(setting) : undefined}
              >
                {(control) => (
                  <Input
                    {...control}
                    name={name}
                    className="font-mono"
                    maxLength={300}
                    spellCheck={false}
                    autoComplete="off"
                    value={values[name] ?? ''}
                    onChange={(event) => setValues({ ...values, [name]: event.target.value })}
                  />
                )}
              </Field>
            );
          })}
        </div>
        <div>
          <Button type="submit" look="primary">
            {t('start.fill')}
          </Button>
        </div>
      </DialogForm>
    </div>
  );
}
