import { useTranslations } from 'next-intl';
import { type Decision } from '@/lib/domain/decisions';
import { type EvidenceStanding, type StandingOfEvidence } from '@/lib/domain/evidence-standing';
import { type EvidenceView } from '@/lib/domain/exception-view';
import { type LookMoment } from '@/lib/domain/settled-look';
import { visibleText } from '@/lib/domain/visible-text';
import { Countdown } from '../time/countdown';
import { Instant } from '../time/instant';
import { classNames } from '../ui/class-names';
import { TONE_SURFACE } from '../ui/tone';
import { STANDING_LOOK } from './standing-look';

interface EvidenceHeadlineProps extends StandingOfEvidence {
  /** The execution is aimed at one, so that a look there can be compared with it. */
  hasAccount: boolean;
  /** The result that the record names. */
  reported: string | null;
  /** The exception is closed. */
  settled: boolean;
  /** It was decided on this look, which was made then; null: on no look. */
  carried: LookMoment | null;
  /** The question is which effect counts, not whether there is one. */
  effectInDoubt: boolean;
  /** What the facts point to; null: to nothing that this page can do. */
  recommended: Decision | null;
}

/** What the outside system has shown, in one sentence, and what that leaves open in another. */
export function EvidenceHeadline({
  standing,
  lookup,
  beside,
  hasAccount,
  reported,
  settled,
  carried,
  effectInDoubt,
  recommended,
}: EvidenceHeadlineProps) {
  const t = useTranslations('lookup');
  const { icon: Icon, tone } = STANDING_LOOK[standing];
  const wayOn = settled ? null : wayOnFrom(standing, recommended);
  const early = standing === 'NOT_APPLIED_TOO_EARLY' && lookup !== null && !settled;
  return (
    <div className="flex items-start gap-3">
      <span
        className={classNames(
          'flex size-9 shrink-0 items-center justify-center rounded-full ring-1 ring-inset',
          TONE_SURFACE[tone],
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-lg leading-snug font-semibold text-pretty [overflow-wrap:anywhere]">
          {t(`standing.${standing}`, {
            result: visibleText(lookup?.resultId ?? reported ?? (standing === 'SEEN_BY_ONE' ? 'none' : '')),
            count: lookup?.matches ?? 2,
            who: whoSaw(standing === 'SEEN_OTHERWISE' ? beside : lookup),
          })}
        </p>
        {standing === 'SEEN_BY_ONE' && lookup !== null && (
          <p className="mt-0.5 text-sm text-ink-muted">{t(`oneWord.${comparedIn(lookup, hasAccount)}`)}</p>
        )}
        <p className="mt-0.5 text-sm text-ink-muted">
          {settled ? (
            t(carried === null ? 'settledOtherwise' : `settledOn.${carried}`)
          ) : (
            <>
              <span className="font-medium text-ink">{t('notKnown')}:</span>{' '}
              {t(`notKnownText.${effectInDoubt ? 'MULTIPLE' : standing}`)}
            </>
          )}
        </p>
        {wayOn !== null && (
          <p className="mt-0.5 text-sm text-ink-muted [overflow-wrap:anywhere]">
            <span className="font-medium text-ink">
              {t(`wayOn.${wayOn === 'LINK' || wayOn === 'CONFIRM' ? 'suggestion' : 'label'}`)}:
            </span>{' '}
            {t(`wayOn.${wayOn}`, { result: visibleText(lookup?.resultId ?? '') })}
          </p>
        )}
        {lookup !== null && lookup.connectorId !== null && lookup.targetSystem !== null && (
          <p className="mt-0.5 text-xs text-ink-muted [overflow-wrap:anywhere]">
            {t('askedSystem', { system: visibleText(lookup.targetSystem) })}
          </p>
        )}
        {early && (
          <p className="mt-1.5 inline-flex flex-wrap items-baseline gap-x-2 rounded-md bg-caution-soft px-2.5 py-1 text-sm text-caution ring-1 ring-caution-line ring-inset">
            <Countdown until={lookup.usableFrom} refreshWhenOver className="text-base font-semibold" />
            {t.rich('horizonUntil', { time: () => <Instant at={lookup.usableFrom} look="full" /> })}
          </p>
        )}
      </div>
    </div>
  );
}

/** Where a person goes on from an answer that settles nothing, or what the page suggests; it decides nothing by itself. */
function wayOnFrom(standing: EvidenceStanding, recommended: Decision | null) {
  if (standing === 'MULTIPLE' || standing === 'MISMATCH' || standing === 'SILENT' || standing === 'UNCLEAR')
    return standing;
  if (standing === 'MATCH' && recommended === 'LINK_RESULT') return 'LINK';
  return standing === 'NOT_APPLIED' && recommended === 'CONFIRM_NOT_APPLIED' ? 'CONFIRM' : null;
}

function whoSaw(lookup: EvidenceView | null): string {
  return lookup === null ? '' : visibleText(lookup.checkedBy.name ?? lookup.checkedBy.id);
}

/** What the person says that they compared; an account that the request never named was compared by nobody. */
function comparedIn(lookup: EvidenceView, hasAccount: boolean): 'both' | 'account' | 'content' | 'none' {
  const account = hasAccount && lookup.accountMatch === true;
  if (account) return lookup.contentMatch === true ? 'both' : 'account';
  return lookup.contentMatch === true ? 'content' : 'none';
}
