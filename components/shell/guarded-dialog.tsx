'use client';

import { useState, type ComponentProps } from 'react';
import { Dialog } from '../ui/dialog';
import { LeaveGuard, LeaveQuestion } from './leave-guard';

type GuardedDialogProps = Omit<ComponentProps<typeof Dialog>, 'onOpenChange'> & {
  /** Something is typed that has not been sent. */
  dirty: boolean;
  /** It closes, and what was typed is gone. */
  onClose: () => void;
};

/** A dialog whose typed text is not lost without a question, by whatever way it or its page is left. */
export function GuardedDialog({
  dirty,
  onClose,
  dismissible = true,
  children,
  ...dialog
}: GuardedDialogProps) {
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Dialog
      {...dialog}
      dismissible={dismissible && !dirty}
      onOpenChange={(open) => {
        if (open) return;
        if (dirty) setAsking(true);
        else close();
      }}
    >
      {children}
      <LeaveGuard dirty={dirty} />
      <LeaveQuestion open={asking} onStay={() => setAsking(false)} onLeave={close} />
    </Dialog>
  );
}
