'use client';

import { signIn } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import { useRef, useState, type FormEvent } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useHydrated } from '../ui/use-hydrated';
import { DemoAccounts } from './demo-accounts';
import { PasswordInput } from './password-input';
import { ProviderButton } from './provider-button';
import { SignInProblem } from './sign-in-problem';

interface LoginFormProps {
  /** A path of ours, already checked. */
  returnTo: string;
  /** Why the person is asked to sign in: a code for `SignInProblem`. */
  problem: string | null;
  /** The configured provider's name; null: people have passwords only. */
  provider: string | null;
  /** Offers the demo's accounts. */
  demo: boolean;
}

/** E-mail and password, or the provider. Sends by script only, so that neither ever gets into an address. */
export function LoginForm({ returnTo, problem, provider, demo }: LoginFormProps) {
  const t = useTranslations('login');
  const hydrated = useHydrated();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState({ email: false, password: false });
  const [shown, setShown] = useState(problem);
  const [pending, setPending] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    setMissing({ email: given.email === '', password: given.password === '' });
    setShown(null);
    if (given.email === '') return email.current?.focus();
    if (given.password === '') return password.current?.focus();
    setPending(true);
    const answer = await signIn('credentials', { ...given, redirect: false }).catch(() => undefined);
    if (answer?.ok === true && answer.error == null) return window.location.assign(returnTo);
    setPending(false);
    setShown(answer?.error ?? 'Unreachable');
    password.current?.select();
  };

  return (
    <div className="flex flex-col gap-6">
      <form
        method="post"
        action="/api/auth/callback/credentials"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4"
      >
        {shown !== null && <SignInProblem code={shown} />}
        <Field required label={t('email')} error={missing.email ? t('emailMissing') : undefined}>
          {(control) => (
            <Input
              {...control}
              ref={email}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="off"
              spellCheck={false}
              className="h-10"
            />
          )}
        </Field>
        <Field required label={t('password')} error={missing.password ? t('passwordMissing') : undefined}>
          {(control) => (
            <PasswordInput
              {...control}
              ref={password}
              name="password"
              autoComplete="current-password"
              className="h-10"
            />
          )}
        </Field>
        {/* The one plainly disabled control: until scripts run there is nothing that could press it. */}
        <fieldset disabled={!hydrated} className="contents">
          <Button type="submit" look="primary" size="lg" pending={pending} className="mt-1 w-full">
            {pending ? t('submitting') : t('submit')}
          </Button>
        </fieldset>
      </form>
      {provider !== null && (
        <section className="border-t border-line pt-5">
          <ProviderButton size="lg" returnTo={returnTo} again={shown === 'ShowAgain'}>
            {t('withProvider', { provider })}
          </ProviderButton>
        </section>
      )}
      {demo && (
        <DemoAccounts
          onUse={(address) => {
            if (email.current !== null) email.current.value = address;
            password.current?.focus();
          }}
        />
      )}
    </div>
  );
}
