'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type ComponentProps } from 'react';
import { buttonLook } from '../ui/button-look';
import { classNames } from '../ui/class-names';
import { Input } from '../ui/input';

/** A password, hidden until asked for. Taken exactly as typed. */
export function PasswordInput({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  const t = useTranslations('login');
  const [shown, setShown] = useState(false);
  const label = t(shown ? 'hide' : 'show');
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        className={classNames('pr-10', className)}
      />
      <button
        type="button"
        aria-label={label}
        aria-pressed={shown}
        title={label}
        onClick={() => setShown(!shown)}
        className={buttonLook({
          look: 'ghost',
          size: 'inField',
          className: 'absolute top-1/2 right-1 -translate-y-1/2',
        })}
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </button>
    </div>
  );
}
