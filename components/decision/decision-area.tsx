'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { sharedLock, type DecisionOffer } from '@/lib/domain/decision-offers';
import { type Decision } from '@/lib/domain/decisions';
import { Kbd } from '../ui/kbd';
import { AttemptsForm, ExtendForm } from './amount-forms';
import { ChangedNotice } from './changed-notice';
import { DecisionCard } from './decision-card';
import { useDecisionDesk } from './decision-desk';
import { LinkForm, NotAppliedForm } from './evidence-form';
import { PlainForm } from './plain-form';
import { RefusedNotice } from './refused-notice';
import { ReissueForm } from './reissue-form';
import { SettledByMe } from './settled-by-me';
import { SettlementForm } from './settlement-form';
import { UnsentTexts } from './unsent-texts';
import { WayOn } from './way-on';

/** Everything that can be decided, the decision that the facts point to first and open. */
export function DecisionArea() {
  const t = useTranslations('decisions');
  const { view, lastRefused } = useDecisionDesk();
  const { offers } = view;
  const [toggled, setToggled] = useState<Readonly<Partial<Record<Decision, boolean>>>>({});
  const isOpen = (offer: DecisionOffer) =>
    toggled[offer.decision] ??
    // What was refused a moment ago stays in sight while the page moves on; what is locked stays folded.
    (offer.recommended || offer.decision === lastRefused?.decision);
  const leads = offers.some((offer) => offer.recommended && offer.refusal === null);
  // Where one choice leads on, it comes first; the others say at themselves why they do not.
  const lock = leads ? null : sharedLock(offers);
  return (
    <section aria-labelledby="decide" className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="decide" className="text-base font-semibold">
          {t('title')}
        </h2>
        {leads && (
          <span aria-hidden className="max-md:hidden">
            <Kbd>D</Kbd>
          </span>
        )}
        <p className="w-full text-xs text-ink-muted">{offers.length === 0 ? t('none') : t('lead')}</p>
      </div>
      <ChangedNotice />
      <RefusedNotice />
      <UnsentTexts />
      <SettledByMe />
      <WayOn view={view} lock={lock} />
      <ul className="flex flex-col gap-2">
        {offers.map((offer) => (
          <DecisionCard
            key={offer.decision}
            offer={offer}
            open={isOpen(offer)}
            saidAbove={lock !== null && offer.refusal === lock.refusal}
            onToggle={() => setToggled((now) => ({ ...now, [offer.decision]: !isOpen(offer) }))}
          >
            <FormOf offer={offer} />
          </DecisionCard>
        ))}
      </ul>
    </section>
  );
}

function FormOf({ offer }: { offer: DecisionOffer }) {
  switch (offer.decision) {
    case 'LINK_RESULT':
      return <LinkForm offer={offer} />;
    case 'CONFIRM_NOT_APPLIED':
      return <NotAppliedForm offer={offer} />;
    case 'EXTEND':
      return <ExtendForm offer={offer} />;
    case 'ALLOW_ATTEMPTS':
      return <AttemptsForm offer={offer} />;
    case 'REQUEST_REISSUE':
      return <ReissueForm offer={offer} />;
    case 'SETTLE_EFFECT':
      return <SettlementForm offer={offer} />;
    case 'CONFIRM_KNOWN_RESULT':
    case 'DECLARE_UNKNOWN':
    case 'KEEP_ORIGINAL':
    case 'RECORD_KEY_RULE':
    case 'ACCEPT_UNPROTECTED':
    case 'RESUME_OPERATION':
    case 'FINAL_FAILURE':
      return <PlainForm offer={offer} decision={offer.decision} />;
    default: {
      const impossible: never = offer.decision;
      throw new Error(`bug: unknown decision ${String(impossible)}`);
    }
  }
}
