import { useTranslations } from 'next-intl';
import { isTooEarly } from '@/lib/domain/decision-evidence';
import { standingOf } from '@/lib/domain/evidence-standing';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { type EvidenceView, type ExceptionView } from '@/lib/domain/exception-view';
import { settledLook } from '@/lib/domain/settled-look';
import { type CommandAction, type SettleAction } from '../decision/command-action';
import { VerdictBadge } from '../exception/verdict-badge';
import { Panel } from '../ui/panel';
import { CandidatesTable } from './candidates-table';
import { Comparison } from './comparison';
import { EvidenceHeadline } from './evidence-headline';
import { EvidenceHistory } from './evidence-history';
import { LookUpButton } from './look-up-button';
import { LookupMeta } from './lookup-meta';
import { ManualEvidence } from './manual-evidence';
import { OutcomeText } from './outcome-text';

interface EvidencePanelProps {
  view: ExceptionView;
  lookUp: CommandAction;
  addManual: CommandAction;
  settle: SettleAction;
}

/** What we know and what we don't: the newest decisive look, large; the ones before it; and the way to look again. */
export function EvidencePanel({ view, lookUp, addManual, settle }: EvidencePanelProps) {
  const t = useTranslations('lookup');
  const { evidence, execution } = view;
  if (execution === null) return null;
  const started = view.attempts.some((attempt) => attempt.effectStartedAt !== null);
  const settledOn = settledLook(view);
  const told = standingOf(evidence, execution, started, settledOn?.lookupId ?? null);
  const shown = evidence.find((each) => each.lookupId === settledOn?.shownId) ?? null;
  const { lookup, beside, witness } = told;
  const several = lookup?.outcome === 'MULTIPLE';
  // Where the two sides differ each is named; whose the large look is would be a guess otherwise.
  const sides = ['CONTRADICTED', 'SEEN_OTHERWISE', 'SEEN_BY_TWO'].includes(told.standing);
  const open = view.exception.state === 'OPEN';
  return (
    <Panel
      title={t(open ? 'title' : 'titleSettled')}
      id="evidence"
      aside={
        <LookUpButton
          exceptionId={view.exception.exceptionId}
          authority={view.policy.authority}
          refusal={view.lookupRefusal}
          action={lookUp}
        />
      }
    >
      <div className="flex flex-col gap-3.5">
        <EvidenceHeadline
          {...told}
          hasAccount={execution.targetAccount !== null}
          reported={execution.resultId}
          settled={view.exception.state === 'CLOSED'}
          carried={settledOn?.moment ?? null}
          effectInDoubt={EFFECT_IN_DOUBT.includes(view.exception.kind)}
          recommended={view.offers.find((offer) => offer.recommended)?.decision ?? null}
        />
        {lookup !== null && sides && <Side lookup={lookup} watch={open} />}
        {lookup !== null && !sides && (
          <>
            <LookupMeta lookup={lookup} watch={open} />
            {several ? (
              <CandidatesTable candidates={lookup.candidates} />
            ) : (
              <Comparison lines={lookup.comparison} />
            )}
          </>
        )}
        {shown !== null && <Side lookup={shown} watch={false} title={t('shownWhenDeciding')} />}
        {witness !== null && <Side lookup={witness} watch={false} />}
        {beside !== null && <Side lookup={beside} watch={false} />}
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2.5 border-t border-line pt-3">
          <EvidenceHistory
            lookups={evidence.filter((each) => ![lookup, beside, witness, shown].includes(each))}
          />
          <ManualEvidence view={view} action={addManual} settle={settle} />
        </div>
      </div>
    </Panel>
  );
}

/** One side's last look: what a person saw never takes the outside system's answer out of sight, nor the reverse. */
function Side({ lookup, watch, title }: { lookup: EvidenceView; watch: boolean; title?: string }) {
  const t = useTranslations('lookup');
  return (
    <section className="flex flex-col gap-2.5 border-t border-line pt-3">
      <h3 className="flex flex-wrap items-center gap-x-3 text-sm font-semibold">
        {title ?? t(lookup.byPerson ? 'beside.person' : 'beside.connector')}
        <OutcomeText lookup={lookup} />
        {!isTooEarly(lookup) && <VerdictBadge verdict={lookup.verdict} />}
      </h3>
      <LookupMeta lookup={lookup} watch={watch} />
      <Comparison lines={lookup.comparison} />
    </section>
  );
}

/** Kinds whose question a single look cannot answer: which of two effects counts. */
const EFFECT_IN_DOUBT: readonly ExceptionKind[] = [
  'RESULT_MISMATCH',
  'DUPLICATE_RESULT',
  'CONTRADICTED_DECISION',
  'ORPHAN_EFFECT',
];
