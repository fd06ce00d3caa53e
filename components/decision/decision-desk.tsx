'use client';

import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type Decision } from '@/lib/domain/decisions';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { isOutdated, seenStateOf, type SeenState } from '@/lib/domain/seen-changes';
import { type CommandAction, type SettleAction } from './command-action';
import { type RefusalAbout } from './refusal-text';

export interface DecisionDesk {
  readonly view: ExceptionView;
  readonly actions: Readonly<Record<Decision, CommandAction>>;
  readonly settle: SettleAction;
  readonly about: RefusalAbout;
  /** What the person saw when they began to write; the newest while nothing is written. */
  readonly seen: SeenState;
  readonly present: SeenState;
  readonly outdated: boolean;
  /** The person has read what changed: their text now belongs to the present state. */
  readonly adopt: () => void;
  readonly drafts: Readonly<Record<string, string>>;
  readonly setDraft: (name: string, text: string) => void;
  /** The ledger has answered that it came about: nothing of that decision waits to be sent any more. */
  readonly markDone: (decision: Decision) => void;
  /** The person's own decision that came about last, on this page. */
  readonly lastDone: Decision | null;
  readonly markRefused: (decision: Decision, answer: Refused) => void;
  /** The person's own decision that was refused last, until one comes about. */
  readonly lastRefused: { readonly decision: Decision; readonly answer: Refused } | null;
}

type Refused = Extract<CommandAnswer, { outcome: 'refused' }>;

const DeskContext = createContext<DecisionDesk | null>(null);

type DecisionDeskProps = Pick<DecisionDesk, 'view' | 'actions' | 'settle'> & { children: ReactNode };

/**
 * Holds what is being written while the page around it is read anew: texts survive every refresh and every conflict, and
 * stay tied to the state that was seen when they were begun.
 */
export function DecisionDeskProvider({ view, actions, settle, children }: DecisionDeskProps) {
  const present = useMemo(() => seenStateOf(view), [view]);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const [held, setHeld] = useState<SeenState | null>(null);
  const [lastDone, setLastDone] = useState<Decision | null>(null);
  const [lastRefused, setLastRefused] = useState<DecisionDesk['lastRefused']>(null);
  const seen = held ?? present;
  const outdated = isOutdated(seen, present);

  const setDraft = useCallback(
    (name: string, text: string) => {
      setDrafts((now) => ({ ...now, [name]: text }));
      // The first letter ties the text to what is on the page now.
      setHeld((now) => now ?? present);
    },
    [present],
  );
  const markDone = useCallback((decision: Decision) => {
    setLastDone(decision);
    setLastRefused(null);
    setDrafts((now) =>
      Object.fromEntries(Object.entries(now).filter(([name]) => !name.startsWith(`${decision}.`))),
    );
    setHeld(null);
  }, []);
  const markRefused = useCallback(
    (decision: Decision, answer: Refused) => setLastRefused({ decision, answer }),
    [],
  );
  const adopt = useCallback(() => setHeld(present), [present]);

  const value = useMemo<DecisionDesk>(
    () => ({
      view,
      actions,
      settle,
      about: { authority: view.policy.authority, roles: rolesFor(view) },
      seen,
      present,
      outdated,
      adopt,
      drafts,
      setDraft,
      markDone,
      lastDone,
      markRefused,
      lastRefused,
    }),
    [
      view,
      actions,
      settle,
      seen,
      present,
      outdated,
      adopt,
      drafts,
      setDraft,
      markDone,
      lastDone,
      markRefused,
      lastRefused,
    ],
  );
  return <DeskContext value={value}>{children}</DeskContext>;
}

function rolesFor({ exception }: ExceptionView): readonly string[] {
  return exception.kind === 'OPERATION_PAUSED' ? ['ADMIN', 'APPROVER'] : ['OPERATOR', 'APPROVER'];
}

export function useDecisionDesk(): DecisionDesk {
  const desk = use(DeskContext);
  if (desk === null) throw new Error('bug: a decision outside of <DecisionDeskProvider>');
  return desk;
}

/** One text of one decision's form, kept above the form. */
export function useDraft(decision: Decision, field: string): [string, (text: string) => void] {
  const { drafts, setDraft } = useDecisionDesk();
  const name = `${decision}.${field}`;
  return [drafts[name] ?? '', (text) => setDraft(name, text)];
}
