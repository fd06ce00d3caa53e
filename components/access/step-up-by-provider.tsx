'use client';

import { LogIn } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { addressAtProvider } from './address-at-provider';
import { useOwnAccount } from './own-account';
import { againPath, SIGN_IN_CHANNEL } from './sign-in-channel';
import { SignInProblem } from './sign-in-problem';

/** Sends somebody to the provider in a window of its own, so that the page keeps what was typed, and then goes on. */
export function StepUpByProvider({ provider, onShown }: { provider: string; onShown: () => void }) {
  const t = useTranslations('admin.stepUp');
  const { email } = useOwnAccount();
  const [open, setOpen] = useState(true);
  const [mark, setMark] = useState<string | null>(null);
  const [unreachable, setUnreachable] = useState(false);
  const [pending, setPending] = useState(false);

  const goOn = () => {
    setOpen(false);
    setMark(null);
    onShown();
  };
  useEffect(() => {
    if (mark === null) return undefined;
    const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data === mark) goOn();
    };
    return () => channel.close();
  });

  const ask = async () => {
    const asking = crypto.randomUUID();
    // Opened by the press itself, as browsers want it; its address comes a moment later.
    const beside = window.open('', '_blank');
    setPending(true);
    const address = await addressAtProvider(againPath(asking), true);
    setPending(false);
    setUnreachable(address === null);
    if (address === null) return beside?.close();
    setMark(asking);
    beside?.location.assign(address);
  };

  return (
    <>
      <Notice
        tone="caution"
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            <LogIn aria-hidden />
            {t('openProvider')}
          </Button>
        }
      >
        {t('whyProvider')}
      </Notice>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('titleProvider')}
        description={t('leadProvider', { email, provider })}
        footer={
          <>
            {mark !== null && <Button onClick={goOn}>{t('goOn')}</Button>}
            <Button look="primary" pending={pending} onClick={() => void ask()}>
              {t('atProvider', { provider })}
            </Button>
          </>
        }
      >
        {unreachable ? <SignInProblem code="Unreachable" /> : mark !== null && <p>{t('waiting')}</p>}
      </Dialog>
    </>
  );
}
