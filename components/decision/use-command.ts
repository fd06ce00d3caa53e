'use client';

import { useCallback, useRef, useState } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { SHOWN_TO } from '@/lib/domain/shown-to';
import { useShownTo } from '../access/own-account';
import { useReadAnew } from '../shell/read-anew';
import { type CommandAction, type SettleAction } from './command-action';

export type CommandPhase =
  | { phase: 'idle' }
  | { phase: 'sending' }
  /** The answer was lost; it is being looked up. */
  | { phase: 'settling' }
  | { phase: 'answered'; answer: CommandAnswer };

/** Milliseconds between questions for a lost answer. */
const SETTLE_EVERY = 1_500;
/** Longer than any transaction may run (8 s) and the request around it (10 s). */
const SETTLE_FOR = 15_000;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Sends one act of a person. The operation id is made when the form is, and kept until the act has come about: a double
 * click, a repeated submit or a resend after a lost answer is decided once. Never says "failed" for a lost
 * answer: it asks for the truth by the operation id. The page is read anew on its own, after the answer: an answer that
 * carries the whole page can break half way, and would take the page and the answer with it.
 */
export function useCommand(action: CommandAction, settle: SettleAction) {
  const { readUntilAnswered, reading } = useReadAnew();
  const shownTo = useShownTo();
  const [state, setState] = useState<CommandPhase>({ phase: 'idle' });
  const operationId = useRef<string | null>(null);
  const busy = useRef(false);

  const send = useCallback(
    async (input: Readonly<Record<string, unknown>>): Promise<CommandAnswer | null> => {
      if (busy.current) return null;
      busy.current = true;
      const id = (operationId.current ??= crypto.randomUUID());
      setState({ phase: 'sending' });
      let answer = await answerOf(action({ ...input, operationId: id, [SHOWN_TO]: shownTo }));
      if (answer.outcome === 'unknown') {
        setState({ phase: 'settling' });
        answer = await settled(settle, id);
      }
      if (isUsedUp(answer)) operationId.current = null;
      busy.current = false;
      setState({ phase: 'answered', answer });
      void readUntilAnswered();
      return answer;
    },
    [action, settle, shownTo, readUntilAnswered],
  );

  const clear = useCallback(() => setState({ phase: 'idle' }), []);
  return { state, send, clear, pending: state.phase === 'sending' || state.phase === 'settling' || reading };
}

/** Whether the next act takes an operation id of its own: this one came about, or the id belongs to another act. */
const isUsedUp = (answer: CommandAnswer) =>
  answer.outcome === 'done' ||
  answer.outcome === 'requested' ||
  (answer.outcome === 'refused' && answer.code === 'OPERATION_ID_USED');

/** A broken connection and a server that gave up look alike here: both leave open whether it happened. */
async function answerOf(asked: Promise<CommandAnswer>): Promise<CommandAnswer> {
  try {
    return await asked;
  } catch {
    return { outcome: 'unknown' };
  }
}

async function settled(settle: SettleAction, operationId: string): Promise<CommandAnswer> {
  const until = Date.now() + SETTLE_FOR;
  for (;;) {
    const answer = await answerOf(settle(operationId));
    if (answer.outcome !== 'unknown' || Date.now() > until) return answer;
    await pause(SETTLE_EVERY);
  }
}
