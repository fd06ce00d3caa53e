'use client';

import { CheckCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type CommandAction } from '../decision/command-action';
import { Button } from '../ui/button';
import { useWish } from './use-wish';

/** Reads everything up to the newest that the page shows: what came since has been seen by nobody. */
export function MarkAll({ upTo, markRead }: { upTo: string; markRead: CommandAction }) {
  const t = useTranslations('notifications');
  const { state, send, pending } = useWish(markRead);
  const done = state.phase === 'answered' && state.answer.outcome === 'done';
  return (
    <>
      <Button pending={pending} onClick={() => void send({ upTo })}>
        <CheckCheck aria-hidden />
        {t('markAll')}
      </Button>
      <span role="status" className="sr-only">
        {done && !pending ? t('marked') : ''}
      </span>
    </>
  );
}
