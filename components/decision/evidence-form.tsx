'use client';

import { useTranslations } from 'next-intl';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { contraryLook } from '@/lib/domain/offer-standing';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { visibleText } from '@/lib/domain/visible-text';
import { Age } from '../time/age';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { Notice } from '../ui/notice';
import { useDecisionDesk, useDraft } from './decision-desk';
import { FormFrame } from './form-frame';
import { isLongEnough, RationaleField } from './rationale-field';

/** Links the found result: one press, because the evidence beside it says why. */
export function LinkForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const { view } = useDecisionDesk();
  const [rationale, setRationale] = useDraft('LINK_RESULT', 'rationale');
  const lookup = evidenceOf(view.evidence, offer);
  const resultId = lookup?.verdict === 'APPLIED' ? lookup.resultId : null;
  const result = resultId === null ? null : visibleText(resultId);
  const expired = view.execution?.state === 'EXPIRED';
  return (
    <FormFrame
      offer={offer}
      does={
        result === null
          ? t('decision.LINK_RESULT.doesUnknown')
          : t(expired ? 'decision.LINK_RESULT.doesExpired' : 'decision.LINK_RESULT.does', { result })
      }
      button={
        result === null ? t('decision.LINK_RESULT.buttonPlain') : t('decision.LINK_RESULT.button', { result })
      }
      read={() => reading(offer, rationale)}
    >
      {(tried) => (
        <>
          <RestsOn lookup={lookup} offer={offer} />
          {offer.refusal === null && (
            <details className="text-sm">
              <summary className="w-fit text-xs text-ink-muted hover:text-ink">
                {t('field.rationaleOptional')}
              </summary>
              <div className="pt-2">
                <RationaleField
                  name="LINK_RESULT-rationale"
                  value={rationale}
                  onChange={setRationale}
                  tried={tried}
                  required={false}
                />
              </div>
            </details>
          )}
        </>
      )}
    </FormFrame>
  );
}

/** Confirms that nothing happened; asks a second person where the effect can't be undone. */
export function NotAppliedForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const { view } = useDecisionDesk();
  const [rationale, setRationale] = useDraft('CONFIRM_NOT_APPLIED', 'rationale');
  const lookup = evidenceOf(view.evidence, offer);
  const shortest = offer.secondPerson ? view.policy.approval?.minRationale : undefined;
  const expired = view.execution?.state === 'EXPIRED';
  const contrary = view.execution !== null && contraryLook({ ...view, lookups: view.evidence }) !== null;
  const does = expired
    ? 'doesExpired'
    : contrary
      ? 'doesContrary'
      : offer.secondPerson
        ? 'doesSecond'
        : 'does';
  return (
    <FormFrame
      offer={offer}
      does={t(`decision.CONFIRM_NOT_APPLIED.${does}`)}
      button={t(`decision.CONFIRM_NOT_APPLIED.${offer.secondPerson ? 'ask' : 'button'}`)}
      read={() => (isLongEnough(rationale, shortest) ? reading(offer, rationale) : null)}
    >
      {(tried) => (
        <>
          <RestsOn lookup={lookup} offer={offer} />
          {offer.opensAt !== null && (
            <Notice tone="caution" title={t('reopens')}>
              <span className="flex flex-wrap items-baseline gap-x-2">
                <Countdown until={offer.opensAt} refreshWhenOver className="text-lg font-semibold" />
                <span className="text-xs">
                  {t.rich('evidence.horizon', {
                    time: () => <Instant at={offer.opensAt ?? ''} look="full" />,
                  })}{' '}
                  {t('opensByItself')}
                </span>
              </span>
            </Notice>
          )}
          <RationaleField
            name="CONFIRM_NOT_APPLIED-rationale"
            shortest={shortest}
            value={rationale}
            onChange={setRationale}
            tried={tried}
          />
        </>
      )}
    </FormFrame>
  );
}

function reading(offer: DecisionOffer, rationale: string): Readonly<Record<string, unknown>> | null {
  return offer.evidenceId === null
    ? null
    : { rationale, evidenceId: offer.evidenceId, lookAgain: offer.lookAgain };
}

export function evidenceOf(
  evidence: readonly EvidenceView[],
  offer: { readonly evidenceId: string | null },
): EvidenceView | null {
  return evidence.find((each) => each.lookupId === offer.evidenceId) ?? null;
}

/** Which look carries it, and what is done when that look is too old. */
export function RestsOn({
  lookup,
  offer,
}: {
  lookup: EvidenceView | null;
  offer: { readonly refusal: string | null; readonly lookAgain: boolean };
}) {
  const t = useTranslations('decisions.evidence');
  if (lookup === null || offer.refusal !== null) return null;
  return (
    <p className="text-xs text-ink-muted">
      {t.rich('restsOn', { time: () => <Instant at={lookup.checkedAt} look="full" /> })}.{' '}
      {offer.lookAgain && t.rich('lookAgain', { age: () => <Age since={lookup.checkedAt} /> })}
    </p>
  );
}
