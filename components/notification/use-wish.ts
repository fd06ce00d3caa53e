'use client';

import { useCallback, useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { SHOWN_TO } from '@/lib/domain/shown-to';
import { useShownTo } from '../access/own-account';
import { type CommandAction } from '../decision/command-action';
import { type CommandPhase } from '../decision/use-command';
import { useReadAnew } from '../shell/read-anew';

/**
 * Sends what concerns its sender alone: read marks, settings, watching. It says what shall be and not what shall change, so
 * that sending it again does no harm and a lost answer needs no settling: the page that is read anew shows what holds.
 */
export function useWish(action: CommandAction) {
  const { readUntilAnswered, reading } = useReadAnew();
  const shownTo = useShownTo();
  const [state, setState] = useState<CommandPhase>({ phase: 'idle' });
  const send = useCallback(
    async (input: Readonly<Record<string, unknown>>): Promise<CommandAnswer> => {
      setState({ phase: 'sending' });
      const answer = await action({ ...input, [SHOWN_TO]: shownTo }).catch((): CommandAnswer => ({
        outcome: 'unknown',
      }));
      setState({ phase: 'answered', answer });
      void readUntilAnswered();
      return answer;
    },
    [action, shownTo, readUntilAnswered],
  );
  return { state, send, pending: state.phase === 'sending' || reading };
}
