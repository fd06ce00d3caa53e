'use client';

import { LogIn } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { useHydrated } from '../ui/use-hydrated';
import { addressAtProvider } from './address-at-provider';
import { SignInProblem } from './sign-in-problem';

interface ProviderButtonProps {
  /** A path of ours, already checked. */
  returnTo: string;
  /** The provider has to ask who it is, even if it knows. */
  again?: boolean;
  size?: 'lg';
  children: ReactNode;
}

/** Leads to the configured provider and back. */
export function ProviderButton({ returnTo, again = false, size, children }: ProviderButtonProps) {
  const hydrated = useHydrated();
  const [pending, setPending] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const go = async () => {
    setPending(true);
    setUnreachable(false);
    const address = await addressAtProvider(returnTo, again);
    if (address !== null) return window.location.assign(address);
    setPending(false);
    setUnreachable(true);
  };
  return (
    <div className="flex flex-col gap-3">
      {unreachable && <SignInProblem code="Unreachable" />}
      <fieldset disabled={!hydrated} className="contents">
        <Button
          pending={pending}
          onClick={() => void go()}
          {...(size === undefined ? {} : { size, className: 'w-full' })}
        >
          <LogIn aria-hidden />
          {children}
        </Button>
      </fieldset>
    </div>
  );
}
