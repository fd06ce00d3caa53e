'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState, type ReactNode } from 'react';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { type CallerAnswer } from '@/lib/domain/caller-impact';
import { shownLook } from '@/lib/domain/evidence-standing';
import { focusFirstInvalid } from '../ui/focus-first-invalid';
import { Button } from '../ui/button';
import { CallersLine } from './callers-line';
import { CommandNotice } from './command-notice';
import { useDecisionDesk } from './decision-desk';
import { useRefusalText } from './refusal-text';
import { useDecision } from './use-decision';

interface FormFrameProps {
  offer: DecisionOffer;
  /** Exactly what it does. */
  does: ReactNode;
  button: ReactNode;
  /** Reads the fields; null when something is still missing. */
  read: () => Readonly<Record<string, unknown>> | null;
  /** What callers would get, where a choice in the form decides it; null while nothing is chosen. */
  after?: CallerAnswer | null;
  children?: (tried: boolean) => ReactNode;
}

/** The inside of every decision: what it does, what callers get, the fields, the button, and what became of it. */
export function FormFrame({ offer, does, button, read, after, children }: FormFrameProps) {
  const t = useTranslations('decisions');
  const { view, about, drafts } = useDecisionDesk();
  const refusalText = useRefusalText(about);
  const { state, decide, pending } = useDecision(offer.decision);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const answer = after === undefined ? view.impact.after[offer.decision] : after;
  // Fields that lead nowhere now are left out; text that is in them already never is.
  const typed = Object.entries(drafts).some(
    ([name, text]) => name.startsWith(`${offer.decision}.`) && text !== '',
  );
  const submit = async () => {
    setTried(true);
    if (offer.refusal !== null) return;
    const input = read();
    // The fields say what is missing; the keyboard goes to the first of them.
    if (input === null) focusFirstInvalid(form.current);
    else if (await decide({ shownEvidenceId: shownLook(view)?.lookupId ?? null, ...input })) setTried(false);
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={t(`decision.${offer.decision}.title`)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      className="flex flex-col gap-3"
    >
      <p className="text-sm text-pretty">{does}</p>
      {answer != null && (
        <CallersLine
          now={view.impact.now}
          after={answer}
          onceApproved={offer.secondPerson}
          conflicting={view.conflicts.length > 0 || view.pause !== null}
        />
      )}
      {(offer.refusal === null || offer.opensAt !== null || typed) && children?.(tried)}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          data-act={offer.recommended ? 'd' : undefined}
          look={offer.recommended ? 'primary' : offer.decision === 'FINAL_FAILURE' ? 'danger' : 'secondary'}
          pending={pending}
          disabledReason={offer.refusal === null ? undefined : refusalText(offer.refusal)}
        >
          {button}
        </Button>
      </div>
      <CommandNotice
        state={state}
        about={about}
        onSendAgain={() => void submit()}
        {...(offer.lookAgain ? { sending: t('notice.lookingFirst') } : {})}
      />
    </form>
  );
}
