'use client';

import { Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { type CommandAction } from '../decision/command-action';
import { useRefusalText } from '../decision/refusal-text';
import { useReadAnew } from '../shell/read-anew';
import { Button } from '../ui/button';

interface LookUpButtonProps {
  exceptionId: string;
  authority: string;
  refusal: ExceptionView['lookupRefusal'];
  action: CommandAction;
}

/** Asks the outside system now. Looking changes nothing outside, so a lost answer only means: look at the page. */
export function LookUpButton({ exceptionId, authority, refusal, action }: LookUpButtonProps) {
  const t = useTranslations('lookup.action');
  const refusalText = useRefusalText({ authority, roles: ['OPERATOR', 'APPROVER'] });
  const { readAnew, reading } = useReadAnew();
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<CommandAnswer | null>(null);
  const busy = useRef(false);
  const look = async () => {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    setAnswer(null);
    try {
      setAnswer(await action({ exceptionId }));
    } catch {
      // Lost: what came of it stands on the page, once it is read again.
    } finally {
      void readAnew();
      busy.current = false;
      setPending(false);
    }
  };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-xs text-ink-muted">
        {pending
          ? t('looking')
          : answer?.outcome === 'done'
            ? t('looked')
            : answer?.outcome === 'refused'
              ? refusalText(answer.code, answer)
              : ''}
      </span>
      <Button
        size="sm"
        data-act="l"
        data-act-press
        pending={pending || reading}
        onClick={() => void look()}
        disabledReason={refusal === null ? undefined : refusalText(refusal)}
      >
        <Search aria-hidden />
        {t('lookNow')}
      </Button>
    </span>
  );
}
