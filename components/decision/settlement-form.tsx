'use client';

import { useTranslations } from 'next-intl';
import { callerAnswer, type CallerAnswer } from '@/lib/domain/caller-impact';
import { type DecisionOffer } from '@/lib/domain/decision-offers';
import { type ExceptionView } from '@/lib/domain/exception-view';
import { namedResults, type NamedResult } from '@/lib/domain/named-results';
import { visibleText } from '@/lib/domain/visible-text';
import { visibleLength } from '@/lib/domain/visible-length';
import { KeyText } from '../text/key-text';
import { ChoiceCards } from '../ui/choice-cards';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ChoiceLabel } from './choice-label';
import { useDecisionDesk, useDraft } from './decision-desk';
import { FormFrame } from './form-frame';
import { isLongEnough, RationaleField } from './rationale-field';

const FATES = ['KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE'] as const;
const SHORTEST_IMPACT = 3;

/** Which of the effects in doubt counts, what that means for the business, and what becomes of the other. */
export function SettlementForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const { view } = useDecisionDesk();
  const [rationale, setRationale] = useDraft('SETTLE_EFFECT', 'rationale');
  const [outcome, setOutcome] = useDraft('SETTLE_EFFECT', 'outcome');
  const [resultId, setResultId] = useDraft('SETTLE_EFFECT', 'resultId');
  const [impact, setImpact] = useDraft('SETTLE_EFFECT', 'impact');
  const [fate, setFate] = useDraft('SETTLE_EFFECT', 'fate');
  const [compensation, setCompensation] = useDraft('SETTLE_EFFECT', 'compensation');
  const shortest = view.policy.approval?.minRationale;
  const named = resultId.trim();
  const known = namedResults(view);
  const free = known.filter(({ id }) => !view.resultsElsewhere.includes(id));
  const taken = view.resultsElsewhere.includes(named);
  const applied = outcome === 'APPLIED';
  const impactGiven = visibleLength(impact) >= SHORTEST_IMPACT;
  const complete =
    outcome !== '' &&
    (!applied || (named !== '' && !taken)) &&
    fate !== '' &&
    (fate !== 'COMPENSATED' || compensation.trim() !== '') &&
    impactGiven &&
    isLongEnough(rationale, shortest);
  const only = free.length === 1 ? (free[0]?.id ?? null) : null;
  const counts = named === '' ? only : named;
  // What is chosen is named before the click, not only in the field that follows it.
  const appliedTitle =
    counts !== null
      ? t('field.outcomeAppliedNamed', { result: visibleText(counts) })
      : free.length > 1
        ? t('field.outcomeAppliedOf', { results: free.map(({ id }) => visibleText(id)).join(', ') })
        : t('field.outcomeApplied');
  const choose = (value: string) => {
    setOutcome(value);
    if (value === 'APPLIED' && named === '' && only !== null) setResultId(only);
  };
  const read = () =>
    complete
      ? {
          rationale,
          outcome,
          resultId: applied ? named : null,
          resultUrl: applied ? (known.find((each) => each.id === named)?.url ?? null) : null,
          businessImpact: impact,
          otherFate: fate,
          compensationId: fate === 'COMPENSATED' ? compensation.trim() : null,
        }
      : null;
  return (
    <FormFrame
      offer={offer}
      does={t('decision.SETTLE_EFFECT.does')}
      button={t('decision.SETTLE_EFFECT.button')}
      read={read}
      after={answerOf(view, outcome, named)}
    >
      {(tried) => (
        <>
          <ChoiceLabel text={t('field.outcome')} />
          <ChoiceCards
            label={t('field.outcome')}
            name="outcome"
            value={outcome === 'APPLIED' || outcome === 'NOT_OURS' ? outcome : null}
            onChange={choose}
            error={tried && outcome === '' ? t('refusal.outcomeMissing') : undefined}
            choices={[
              { value: 'APPLIED', title: appliedTitle },
              { value: 'NOT_OURS', title: t('field.outcomeNotOurs') },
            ]}
          />
          {applied && (
            <Field
              label={t('field.resultId')}
              required
              error={
                taken
                  ? t('refusal.resultLinkedElsewhere')
                  : tried && named === ''
                    ? t('refusal.resultIdMissing')
                    : undefined
              }
              hint={<KnownResults free={free} taken={view.resultsElsewhere} onPick={setResultId} />}
            >
              {(control) => (
                <Input
                  {...control}
                  name="resultId"
                  maxLength={255}
                  value={resultId}
                  onChange={(event) => setResultId(event.target.value)}
                />
              )}
            </Field>
          )}
          <Field
            label={t('field.otherFate')}
            required
            error={tried && fate === '' ? t('refusal.otherFateMissing') : undefined}
          >
            {(control) => (
              <Select
                {...control}
                name="otherFate"
                value={fate}
                placeholder=" "
                onChange={(event) => setFate(event.target.value)}
                choices={FATES.map((value) => ({ value, label: t(`field.fate.${value}`) }))}
              />
            )}
          </Field>
          {fate === 'COMPENSATED' && (
            <Field
              label={t('field.compensationId')}
              required
              error={tried && compensation.trim() === '' ? t('refusal.compensationIdMissing') : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  name="compensationId"
                  maxLength={255}
                  value={compensation}
                  onChange={(event) => setCompensation(event.target.value)}
                />
              )}
            </Field>
          )}
          <Field
            label={t('field.businessImpact')}
            hint={t('field.businessImpactHint')}
            required
            error={tried && !impactGiven ? t('refusal.businessImpactMissing') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="businessImpact"
                maxLength={2_000}
                value={impact}
                onChange={(event) => setImpact(event.target.value)}
              />
            )}
          </Field>
          <RationaleField
            name="SETTLE_EFFECT-rationale"
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

/** Results to pick from, and those that nobody can: the first link of a result stands. */
function KnownResults({
  free,
  taken,
  onPick,
}: {
  free: readonly NamedResult[];
  taken: readonly string[];
  onPick: (id: string) => void;
}) {
  const t = useTranslations('decisions.field');
  return (
    <span className="flex flex-col gap-1 empty:hidden">
      {free.length > 0 && (
        <span className="flex flex-wrap items-center gap-1.5">
          {t('resultIdPick')}:
          {free.map(({ id }) => (
            <button
              key={id}
              type="button"
              onClick={() => onPick(id)}
              className="rounded-sm border border-line-strong px-1.5 hover:bg-hover"
            >
              <KeyText value={id} />
            </button>
          ))}
        </span>
      )}
      {taken.length > 0 && (
        <span>{t('resultIdTaken', { results: taken.map((id) => visibleText(id)).join(', ') })}</span>
      )}
    </span>
  );
}

/** A record that is superseded, expired or carries its result already keeps its answers. */
function answerOf(view: ExceptionView, outcome: string, named: string): CallerAnswer | null {
  const { execution } = view;
  if (outcome === '' || execution === null) return null;
  const moves = !execution.superseded && ['UNKNOWN', 'FAILED_FINAL'].includes(execution.state);
  if (!moves) return view.impact.after.SETTLE_EFFECT ?? null;
  if (outcome !== 'APPLIED') return callerAnswer('EXECUTION_FAILED_FINAL');
  return named === '' ? null : callerAnswer('RESULT_REUSED', named);
}
