'use client';

import { type Decision } from '@/lib/domain/decisions';
import { useAfterAct } from './after-act';
import { useDecisionDesk } from './decision-desk';
import { useCommand } from './use-command';

/** Sends one decision about the exception, on the versions that the person saw. */
export function useDecision(decision: Decision) {
  const { view, actions, settle, seen, markDone, markRefused } = useDecisionDesk();
  const afterAct = useAfterAct();
  const { state, send, pending } = useCommand(actions[decision], settle);
  const decide = async (input: Readonly<Record<string, unknown>>) => {
    const answer = await send({
      exceptionId: view.exception.exceptionId,
      exceptionVersion: seen.exceptionVersion,
      executionVersion: seen.executionVersion,
      ...input,
    });
    const cameAbout = answer?.outcome === 'done' || answer?.outcome === 'requested';
    if (cameAbout) {
      markDone(decision);
      afterAct();
    }
    if (answer?.outcome === 'refused') markRefused(decision, answer);
    return cameAbout;
  };
  return { state, decide, pending };
}
