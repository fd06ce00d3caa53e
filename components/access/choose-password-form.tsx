'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { LinkButton } from '../ui/link-button';
import { Notice } from '../ui/notice';
import { PasswordInput } from './password-input';

/** The answer of the action: null before the first one. */
export type ChoosePasswordState =
  | null
  | { kind: 'changed' }
  | {
      kind: 'refused';
      code:
        | 'WRONG_PASSWORD'
        | 'PROVIDER_SIGNS_IN'
        | 'TOO_SHORT'
        | 'TOO_LONG'
        | 'COMMON'
        | 'CONTAINS_ACCOUNT'
        | 'UNREACHABLE';
    };

interface ChoosePasswordFormProps {
  /** Whether the person has a password already, to be shown before it is replaced. */
  asksPresent: boolean;
  action: (state: ChoosePasswordState, form: FormData) => Promise<ChoosePasswordState>;
  next: string;
}

/** A person's own password. */
export function ChoosePasswordForm({ asksPresent, action, next }: ChoosePasswordFormProps) {
  const t = useTranslations('login.choose');
  const [state, submit, pending] = useActionState(action, null);
  if (state?.kind === 'changed') {
    return (
      <Notice tone="confirmed" role="status" action={<LinkButton href={next}>{t('go')}</LinkButton>}>
        {t('done')}
      </Notice>
    );
  }
  const refusal = state === null ? undefined : t(`refusal.${state.code}`);
  const concernsPresent = state?.code === 'WRONG_PASSWORD';
  return (
    <form action={submit} className="flex flex-col gap-4">
      {asksPresent && (
        <Field label={t('present')} required error={concernsPresent ? refusal : undefined}>
          {(control) => <PasswordInput {...control} name="present" autoComplete="current-password" />}
        </Field>
      )}
      <Field label={t('next')} required error={concernsPresent ? undefined : refusal}>
        {(control) => <PasswordInput {...control} name="next" autoComplete="new-password" />}
      </Field>
      <Button type="submit" look="primary" size="lg" pending={pending}>
        {t('submit')}
      </Button>
    </form>
  );
}
