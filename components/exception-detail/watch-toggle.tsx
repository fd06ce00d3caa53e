'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type CommandAction } from '../decision/command-action';
import { useWish } from '../notification/use-wish';
import { Button } from '../ui/button';

interface WatchToggleProps {
  exceptionId: string;
  watching: boolean;
  watch: CommandAction;
}

/** To hear of every act on this exception, or no longer. */
export function WatchToggle({ exceptionId, watching, watch }: WatchToggleProps) {
  const t = useTranslations('exception.together');
  const { send, pending } = useWish(watch);
  return (
    <Button
      pending={pending}
      title={t('watchHint')}
      onClick={() => void send({ exceptionId, watches: !watching })}
    >
      {watching ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      {t(watching ? 'unwatch' : 'watch')}
    </Button>
  );
}
