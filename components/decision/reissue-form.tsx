'use client';

import { useTranslations } from 'next-intl';
import { callerAnswer } from '@/lib/domain/caller-impact';
import { choiceOf, type ReissueChoice } from '@/lib/domain/reissue-exposure';
import { type DecisionOffer, type RelationOffer } from '@/lib/domain/decision-offers';
import { visibleText } from '@/lib/domain/visible-text';
import { visibleLength } from '@/lib/domain/visible-length';
import { isoLike } from '../time/instant';
import { useReaderZone } from '../time/clock';
import { ChoiceCards } from '../ui/choice-cards';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ChoiceLabel } from './choice-label';
import { ReissueExposureFacts } from '../exposure/reissue-exposure';
import { useDecisionDesk, useDraft } from './decision-desk';
import { evidenceOf, RestsOn } from './evidence-form';
import { FormFrame } from './form-frame';
import { isLongEnough, RationaleField } from './rationale-field';
import { useRefusalText } from './refusal-text';

const SHORTEST_FATE = 3;

/** Asks for a new key: how it relates to this one, why that is legitimate, and what becomes of the original. */
export function ReissueForm({ offer }: { offer: DecisionOffer }) {
  const t = useTranslations('decisions');
  const tRelation = useTranslations('glossary.relation');
  const { view, about } = useDecisionDesk();
  const refusalText = useRefusalText(about);
  const [rationale, setRationale] = useDraft('REQUEST_REISSUE', 'rationale');
  const [fate, setFate] = useDraft('REQUEST_REISSUE', 'originalFate');
  const [chosen, choose] = useDraft('REQUEST_REISSUE', 'relation');
  const [intake, setIntake] = useDraft('REQUEST_REISSUE', 'intake');
  const relation = chosenRelation(offer.relations, chosen);
  const takesContent = relation !== null && relation.relation !== 'RETRY_AS_NEW' && view.conflicts.length > 0;
  const intakeId = takesContent
    ? intakeOf(intake, relation, view.conflicts[0]?.intake.intakeId ?? null)
    : null;
  const shortest = view.policy.approval?.minRationale;
  const fateGiven = visibleLength(fate) >= SHORTEST_FATE;
  const lookup = relation === null ? null : evidenceOf(view.evidence, relation);
  const choice = relation === null ? null : choiceOf(view.reissues, relation.relation, intakeId);
  const after =
    relation?.relation === 'NEW_WORK' ? view.impact.now : callerAnswer('IDEMPOTENCY_KEY_SUPERSEDED');
  const wrong =
    relation === null
      ? t('refusal.relationMissing')
      : relation.refusal === null
        ? undefined
        : refusalText(relation.refusal);
  const read = () => {
    if (relation === null || relation.refusal !== null || !fateGiven || !isLongEnough(rationale, shortest))
      return null;
    return {
      rationale,
      originalFate: fate,
      relation: relation.relation,
      intakeId,
      evidenceId: relation.relation === 'RETRY_AS_NEW' || relation.lookAgain ? relation.evidenceId : null,
      lookAgain: relation.lookAgain,
    };
  };
  return (
    <FormFrame
      offer={offer}
      does={t('decision.REQUEST_REISSUE.does')}
      button={t('decision.REQUEST_REISSUE.button')}
      read={read}
      after={after}
    >
      {(tried) => (
        <>
          <ChoiceLabel text={t('field.relation')} />
          <ChoiceCards
            label={t('field.relation')}
            name="relation"
            value={relation?.relation ?? null}
            onChange={choose}
            error={tried ? wrong : undefined}
            choices={offer.relations.map((each) => ({
              value: each.relation,
              title: tRelation(each.relation),
              body: t(`relation.${each.relation}`),
              unavailable:
                each.refusal === null
                  ? undefined
                  : each.refusal === 'INTAKE_MISSING' && view.conflicts.length === 0
                    ? t('field.intakeNoOther')
                    : refusalText(each.refusal),
            }))}
          />
          {takesContent && <IntakeField value={intakeId} onChange={setIntake} relation={relation} />}
          {choice !== null && <Exposure choice={choice} />}
          {relation !== null && <RestsOn lookup={lookup} offer={relation} />}
          <Field
            label={t('field.originalFate')}
            hint={t('field.originalFateHint')}
            required
            error={tried && !fateGiven ? t('refusal.originalFateMissing') : undefined}
          >
            {(control) => (
              <Input
                {...control}
                name="originalFate"
                maxLength={2_000}
                value={fate}
                onChange={(event) => setFate(event.target.value)}
              />
            )}
          </Field>
          <RationaleField
            name="REQUEST_REISSUE-rationale"
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

/** What this choice would leave standing, and how many people have to agree to it. */
function Exposure({ choice }: { choice: ReissueChoice }) {
  const t = useTranslations('decisions.exposure');
  const tStake = useTranslations('exception.exposure');
  const approvals =
    choice.approvals === null
      ? tStake('approvalsNone')
      : tStake('approvalsCount', { count: choice.approvals });
  return (
    <section className="flex flex-col gap-2" aria-label={t('title')}>
      <h3 className="text-sm font-medium">{t('title')}</h3>
      <ReissueExposureFacts
        relation={choice.relation}
        exposure={choice.exposure}
        sameContent={choice.intakeId === null}
        more={[{ term: t('approvals'), value: approvals }]}
      />
    </section>
  );
}

const SAME_CONTENT = 'same';

function IntakeField({
  value,
  onChange,
  relation,
}: {
  value: string | null;
  onChange: (intakeId: string) => void;
  relation: RelationOffer;
}) {
  const t = useTranslations('decisions');
  const tConflict = useTranslations('exception.conflict');
  const { view } = useDecisionDesk();
  const zone = useReaderZone();
  const arrivals = view.conflicts.map(({ intake }) => ({
    value: intake.intakeId,
    label: tConflict.markup('arrival', {
      requestId: () => (intake.requestId === null ? tConflict('noRequestId') : visibleText(intake.requestId)),
      time: () => isoLike(intake.receivedAt, zone),
    }),
  }));
  // New work may also repeat the first content; a correction is about one of the arrivals.
  const choices =
    relation.relation === 'NEW_WORK'
      ? [...arrivals, { value: SAME_CONTENT, label: t('field.intakeNone') }]
      : arrivals;
  return (
    <Field label={t('field.intake')} required>
      {(control) => (
        <Select
          {...control}
          name="intake"
          value={value ?? SAME_CONTENT}
          onChange={(event) => onChange(event.target.value)}
          choices={choices}
        />
      )}
    </Field>
  );
}

function intakeOf(drafted: string, relation: RelationOffer, first: string | null): string | null {
  if (drafted === SAME_CONTENT && relation.relation === 'NEW_WORK') return null;
  return drafted === '' || drafted === SAME_CONTENT ? first : drafted;
}

/** What was chosen, as long as it exists; else the only one that is open. */
function chosenRelation(relations: readonly RelationOffer[], chosen: string): RelationOffer | null {
  const picked = relations.find((each) => each.relation === chosen);
  if (picked !== undefined) return picked;
  const open = relations.filter((each) => each.refusal === null);
  return open.length === 1 ? (open[0] ?? null) : null;
}
