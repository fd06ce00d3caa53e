import { useTranslations } from 'next-intl';
import { type Amount } from '@/lib/domain/amount';
import { type Relation } from '@/lib/domain/decisions';
import { standingTogether, togetherOf, type ReissueExposure } from '@/lib/domain/reissue-exposure';
import { type ExecutionState } from '@/lib/domain/states';
import { AmountText } from '../execution/amount-text';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { FactList, type Fact } from '../ui/fact-list';
import { Notice } from '../ui/notice';

interface ReissueExposureFactsProps {
  relation: Relation;
  exposure: ReissueExposure;
  /** The new key takes the original's own content. */
  sameContent: boolean;
  /** What has become of the new key; null before it exists. */
  made?: { readonly state: ExecutionState; readonly resultId: string | null } | null;
  /** What the page knows besides, after the amounts. */
  more?: readonly Fact[];
}

/** What exists, what the new key adds, and what stands if both remain: told before and after the decision. */
export function ReissueExposureFacts({
  relation,
  exposure,
  sameContent,
  made = null,
  more = [],
}: ReissueExposureFactsProps) {
  const t = useTranslations('decisions.exposure');
  const standing = standingTogether(relation, exposure);
  const amount = (value: Amount | null) => (value === null ? t('noAmount') : <AmountText amount={value} />);
  return (
    <div className="flex flex-col gap-3">
      <Notice tone={standing === 'BOTH_AFTER_ALL' ? 'caution' : 'danger'}>
        {t.rich(`stands.${standing}`, { what: () => <Together exposure={exposure} /> })}
      </Notice>
      {!sameContent && <WholeContent exposure={exposure} />}
      <FactList
        absent={t('noAmount')}
        facts={[
          {
            term: t(`original.${exposure.effect}`),
            value: (
              <Side state={exposure.state} resultId={exposure.resultId}>
                {amount(exposure.original)}
                {exposure.effects > 1 && ` × ${exposure.effects}`}
              </Side>
            ),
          },
          {
            term: t(made === null ? 'added' : 'made'),
            value: (
              <Side state={made?.state ?? null} resultId={made?.resultId ?? null}>
                {amount(exposure.added)}
                {sameContent && <span className="text-xs text-ink-muted">{t('sameContent')}</span>}
              </Side>
            ),
          },
          {
            term: t('together'),
            value: (
              <span className="font-semibold">
                <Together exposure={exposure} />
              </span>
            ),
          },
          ...more,
        ]}
      />
    </div>
  );
}

/** An arrival may be meant as the new total or as the difference; carried out is what it says, whole. */
function WholeContent({ exposure }: { exposure: ReissueExposure }) {
  const t = useTranslations('decisions.exposure.whole');
  const { original, added, effect } = exposure;
  if (original === null || added === null) return <p className="text-sm font-medium">{t('untold')}</p>;
  return (
    <p className="text-sm font-medium">
      {t.rich(effect, {
        added: () => <AmountText amount={added} />,
        original: () => <AmountText amount={original} />,
        both: () => <Together exposure={exposure} />,
      })}
    </p>
  );
}

function Together({ exposure }: { exposure: ReissueExposure }) {
  const t = useTranslations('decisions.exposure');
  const together = togetherOf(exposure);
  switch (together.as) {
    case 'SUM':
      return <AmountText amount={together.sum} />;
    case 'TWO_AMOUNTS':
      return (
        <>
          <AmountText amount={together.original} /> + <AmountText amount={together.added} />
        </>
      );
    case 'COUNT':
      return <>{t('count', { count: together.effects })}</>;
    default:
      return together satisfies never;
  }
}

function Side({
  state,
  resultId,
  children,
}: {
  state: ExecutionState | null;
  resultId: string | null;
  children: React.ReactNode;
}) {
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex flex-wrap items-baseline gap-x-1.5">{children}</span>
      {state !== null && <StateBadge state={state} />}
      {resultId !== null && <KeyText value={resultId} />}
    </span>
  );
}
