'use client';

import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';

interface Fold {
  readonly id: string;
  readonly open: boolean;
  readonly toggle: () => void;
}

/** Fields that wait behind a button. Opening leads the keyboard into the first of them; folding keeps what they hold. */
export function useFold(): Fold {
  const [open, setOpen] = useState(false);
  const id = useId();
  const toggle = () => {
    // What is hidden takes no focus: it has to be shown first.
    flushSync(() => setOpen(!open));
    if (!open) document.getElementById(id)?.querySelector<HTMLElement>('textarea')?.focus();
  };
  return { id, open, toggle };
}

interface FoldButtonProps {
  fold: Fold;
  /** Something is written in there that has not been sent. */
  unsent: boolean;
  disabledReason: string | undefined;
  children: ReactNode;
}

/** The button before folded fields. What is written in them is said while they are out of sight. */
export function FoldButton({ fold, unsent, disabledReason, children }: FoldButtonProps) {
  const t = useTranslations('exception.desk');
  return (
    <Button
      size="sm"
      aria-expanded={fold.open}
      aria-controls={fold.id}
      onClick={fold.toggle}
      // What stands open can always be folded again.
      disabledReason={fold.open || unsent ? undefined : disabledReason}
    >
      {children}
      {unsent && !fold.open && <span className="font-normal text-caution">{t('unsent')}</span>}
      <ChevronDown
        aria-hidden
        className={classNames('text-ink-faint transition-transform duration-100', fold.open && 'rotate-180')}
      />
    </Button>
  );
}

/** The fields themselves. */
export function Folded({ fold, children }: { fold: Fold; children: ReactNode }) {
  return (
    <div id={fold.id} hidden={!fold.open} className="border-t border-line pt-3">
      {children}
    </div>
  );
}
