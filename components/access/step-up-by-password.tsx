'use client';

import { KeyRound } from 'lucide-react';
import { signIn } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Notice } from '../ui/notice';
import { useOwnAccount } from './own-account';
import { PasswordInput } from './password-input';
import { SignInProblem } from './sign-in-problem';

/** Asks for the password again, in front of a page that keeps what was typed, and then goes on with the act. */
export function StepUpByPassword({ onShown }: { onShown: () => void }) {
  const t = useTranslations('admin.stepUp');
  const { email } = useOwnAccount();
  const form = useId();
  const [open, setOpen] = useState(true);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const [pending, setPending] = useState(false);
  const submit = async () => {
    setMissing(password === '');
    setProblem(null);
    if (password === '') return;
    setPending(true);
    // A sign-in like any other: throttled, recorded, and the session gets a new secret.
    const answer = await signIn('credentials', { email, password, redirect: false }).catch(() => undefined);
    setPending(false);
    setPassword('');
    if (answer?.ok !== true || answer.error != null) return setProblem(answer?.error ?? 'Unreachable');
    setOpen(false);
    onShown();
  };
  return (
    <>
      <Notice
        tone="caution"
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            <KeyRound aria-hidden />
            {t('open')}
          </Button>
        }
      >
        {t('why')}
      </Notice>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('title')}
        description={t('lead', { email })}
        dismissible={password === ''}
        footer={
          <Button type="submit" form={form} look="primary" pending={pending}>
            {t('submit')}
          </Button>
        }
      >
        <form
          id={form}
          noValidate
          className="flex flex-col gap-3.5"
          onSubmit={(event) => {
            event.preventDefault();
            // React hands events of a dialog on to the form that stands behind it.
            event.stopPropagation();
            void submit();
          }}
        >
          {problem !== null && <SignInProblem code={problem} />}
          <Field label={t('password')} required error={missing ? t('missing') : undefined}>
            {(control) => (
              <PasswordInput
                {...control}
                name="step-up-password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </form>
      </Dialog>
    </>
  );
}
