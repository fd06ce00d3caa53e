'use client';

import { ChevronDown, Lock, Star, Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, type ReactNode } from 'react';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { WorkNatureBadge } from '../exception/work-nature';
import { Countdown } from '../time/countdown';
import { Badge } from '../ui/badge';
import { classNames } from '../ui/class-names';
import { useDecisionDesk } from './decision-desk';
import { DECISION_ICON } from './decision-look';
import { useRefusalText } from './refusal-text';

interface DecisionCardProps {
  offer: DecisionOffer;
  open: boolean;
  /** Why it is locked stands above all cards. */
  saidAbove: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** One decision: its name, whether it makes new work, whether it can be taken now, and inside, everything to take it. */
export function DecisionCard({ offer, open, saidAbove, onToggle, children }: DecisionCardProps) {
  const t = useTranslations('decisions');
  const id = useId();
  const Icon = DECISION_ICON[offer.decision];
  const { recommended } = offer;
  return (
    <li
      className={classNames(
        'rounded-lg border',
        recommended ? 'border-accent shadow-sm' : 'border-line',
        !open && offer.refusal !== null ? 'bg-sunken' : 'bg-surface',
      )}
    >
      <h3>
        <button
          type="button"
          {...(offer.decision === 'REQUEST_REISSUE' ? { 'data-act': 'r' } : {})}
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className="flex w-full items-start gap-x-2.5 rounded-lg px-4 py-2.5 text-left text-sm"
        >
          <Icon
            aria-hidden
            className={classNames('mt-0.5 size-4 shrink-0', recommended ? 'text-accent' : 'text-ink-muted')}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="font-semibold">{t(`decision.${offer.decision}.title`)}</span>
            <WorkNatureBadge nature={offer.nature} />
            {offer.secondPerson && (
              <Badge icon={Users} look="plain" className="text-xs text-ink-muted">
                {t('secondPerson')}
              </Badge>
            )}
            {recommended && (
              <Badge icon={Star} tone="accent" look="plain" className="text-xs text-accent">
                {t('recommended')}
              </Badge>
            )}
            {offer.refusal !== null && <WhyNot offer={offer} saidAbove={saidAbove} />}
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              'mt-0.5 size-4 shrink-0 text-ink-faint transition-transform duration-100',
              open && 'rotate-180',
            )}
          />
        </button>
      </h3>
      <div id={id} hidden={!open} className="px-4 pb-4">
        {children}
      </div>
    </li>
  );
}

function WhyNot({ offer, saidAbove }: { offer: DecisionOffer; saidAbove: boolean }) {
  const t = useTranslations('decisions');
  const { about } = useDecisionDesk();
  const refusalText = useRefusalText(about);
  if (offer.refusal === null) return null;
  return (
    <span className="flex w-full items-start gap-1.5 text-xs text-ink-muted">
      <Lock aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span>
        {saidAbove ? t('lockedAbove') : refusalText(offer.refusal)}
        {!saidAbove && offer.opensAt !== null && (
          <span className="ml-1.5 font-medium text-ink">
            {t('reopens')} <Countdown until={offer.opensAt} refreshWhenOver />
          </span>
        )}
      </span>
    </span>
  );
}
