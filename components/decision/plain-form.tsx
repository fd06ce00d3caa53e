'use client';

import { useTranslations } from 'next-intl';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { visibleText } from '@/lib/domain/visible-text';
import { useDecisionDesk, useDraft } from './decision-desk';
import { evidenceOf, RestsOn } from './evidence-form';
import { FormFrame } from './form-frame';
import { isLongEnough, RationaleField } from './rationale-field';

type PlainDecision =
  | 'CONFIRM_KNOWN_RESULT'
  | 'DECLARE_UNKNOWN'
  | 'KEEP_ORIGINAL'
  | 'RECORD_KEY_RULE'
  | 'ACCEPT_UNPROTECTED'
  | 'RESUME_OPERATION'
  | 'FINAL_FAILURE';

/** Decisions that need nothing but a reason. */
export function PlainForm({ offer, decision }: { offer: DecisionOffer; decision: PlainDecision }) {
  const t = useTranslations('decisions');
  const { view } = useDecisionDesk();
  const [rationale, setRationale] = useDraft(decision, 'rationale');
  const result = visibleText(view.execution?.resultId ?? t('answer.noResult'));
  const optional = decision === 'CONFIRM_KNOWN_RESULT';
  const expired = view.execution?.state === 'EXPIRED';
  const does =
    decision === 'CONFIRM_KNOWN_RESULT'
      ? t('decision.CONFIRM_KNOWN_RESULT.does', { result })
      : decision === 'FINAL_FAILURE' && expired
        ? t('decision.FINAL_FAILURE.doesExpired')
        : t(`decision.${decision}.does`);
  const button =
    decision === 'CONFIRM_KNOWN_RESULT'
      ? t('decision.CONFIRM_KNOWN_RESULT.button', { result })
      : t(`decision.${decision}.button`);
  const more =
    decision === 'RECORD_KEY_RULE'
      ? { acceptUnprotected: false }
      : decision === 'ACCEPT_UNPROTECTED'
        ? { acceptUnprotected: true }
        : decision === 'FINAL_FAILURE'
          ? { evidenceId: offer.evidenceId, lookAgain: offer.lookAgain }
          : {};
  return (
    <FormFrame
      offer={offer}
      does={does}
      button={button}
      read={() => (optional || isLongEnough(rationale) ? { rationale, ...more } : null)}
    >
      {(tried) => (
        <>
          <RestsOn lookup={evidenceOf(view.evidence, offer)} offer={offer} />
          <RationaleField
            name={`${decision}-rationale`}
            value={rationale}
            onChange={setRationale}
            tried={tried}
            required={!optional}
            {...(decision === 'RECORD_KEY_RULE'
              ? { label: t('field.keyRule'), hint: t('field.keyRuleHint') }
              : {})}
          />
        </>
      )}
    </FormFrame>
  );
}
