import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type RequestView } from '@/lib/domain/request-view';
import { KindBadge } from '../exception/kind-badge';
import { AmountText } from '../execution/amount-text';
import { StateBadge } from '../execution/state-badge';
import { KeyText } from '../text/key-text';
import { MisleadingNotice } from '../text/misleading-notice';
import { VisibleText } from '../text/visible-text';
import { FactList, type Fact } from '../ui/fact-list';
import { Panel } from '../ui/panel';
import { StepsText } from './step-text';

/** Everything that the request stands on, whole: two requests that differ never look alike here (FE-19). */
export function RequestBasis({ request }: { request: RequestView }) {
  const t = useTranslations('approvals.detail');
  const common = useTranslations('common');
  return (
    <Panel title={t('standsOn')}>
      <div className="flex flex-col gap-4">
        <MisleadingNotice about={request} />
        <div className="text-sm">
          <h3 className="text-xs text-ink-muted">{t('rationale')}</h3>
          <blockquote className="mt-1 border-l-2 border-line-strong pl-3 text-base">
            <VisibleText text={request.rationale} paragraphs />
          </blockquote>
        </div>
        <FactList facts={useRequestFacts(request)} absent={common('state.notGiven')} />
        <div className="border-t border-line pt-3 text-sm">
          <h3 className="text-xs text-ink-muted">{t('digest')}</h3>
          <p className="mt-0.5">
            <KeyText value={request.digest} />
          </p>
          <p className="mt-0.5 text-xs text-ink-muted">{t('digestMeans')}</p>
        </div>
        {request.execution !== null && (
          <div className="border-t border-line pt-3 text-sm">
            <h3 className="mb-1.5 text-xs font-semibold text-ink-muted">{t('now')}</h3>
            <FactList
              absent={common('state.notGiven')}
              facts={[
                { term: t('state'), value: <StateBadge state={request.execution.state} explain /> },
                { term: t('versionNow'), value: request.execution.version },
              ]}
            />
          </div>
        )}
      </div>
    </Panel>
  );
}

function paramOf(request: RequestView, name: string): string | null {
  const value = request.params[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function useRequestFacts(request: RequestView): readonly Fact[] {
  const t = useTranslations('approvals.detail');
  const tRelation = useTranslations('glossary.relation');
  const tFate = useTranslations('decisions.field.fate');
  const versions = useTranslations('common.policy');
  const { execution } = request;
  const amount = execution?.amount ?? request.orphanAmount;
  const text = (value: string | null) => (value === null ? null : <VisibleText text={value} paragraphs />);
  const key = (value: string | null) => (value === null ? null : <KeyText value={value} />);
  const fate = (['KEPT', 'COMPENSATED', 'ATTRIBUTED', 'NONE'] as const).find(
    (each) => each === paramOf(request, 'otherFate'),
  );
  const asked: Fact[] = [
    ...(request.relation === null ? [] : [{ term: t('relation'), value: tRelation(request.relation) }]),
    ...(request.kind === 'SETTLE_EFFECT'
      ? [
          {
            term: t('outcome'),
            value: t(paramOf(request, 'outcome') === 'APPLIED' ? 'outcomeApplied' : 'outcomeNotOurs'),
          },
          { term: t('resultId'), value: key(paramOf(request, 'resultId')) },
          { term: t('resultUrl'), value: text(paramOf(request, 'resultUrl')) },
          { term: t('otherFate'), value: fate === undefined ? null : tFate(fate) },
          { term: t('compensationId'), value: key(paramOf(request, 'compensationId')) },
          { term: t('businessImpact'), value: text(paramOf(request, 'businessImpact')), wide: true },
        ]
      : []),
  ];
  return [
    ...asked,
    { term: t('operation'), value: <VisibleText text={request.operation} /> },
    // Without a policy that names the amount there is none to tell; what was asked stands beside.
    ...(amount === null
      ? []
      : [
          {
            term: t(request.kind === 'REISSUE' ? 'amountOriginal' : 'amount'),
            value: <AmountText amount={amount} />,
          },
        ]),
    // Each alone: joined by a sign, a system could be read as system and account.
    { term: t('targetSystem'), value: text(request.targetSystem) },
    { term: t('targetAccount'), value: text(request.targetAccount) },
    ...(execution === null
      ? []
      : [
          { term: t('key'), value: key(execution.key), wide: true },
          {
            term: t('principal'),
            value: (
              <>
                <VisibleText text={execution.principalName} /> <KeyText value={execution.principalId} />
              </>
            ),
          },
          { term: t('requestId'), value: key(execution.requestId) },
          { term: t('businessRef'), value: key(execution.businessRef) },
          { term: t('contentVersion'), value: text(execution.contentVersion) },
          { term: t('version'), value: request.executionVersion },
          { term: t('fingerprint'), value: key(request.fingerprint), wide: true },
        ]),
    { term: t('approvalPolicy'), value: <StepsText steps={request.terms.steps} />, wide: true },
    { term: t('approvalPolicyVersion'), value: versions('version', { version: request.terms.version }) },
    { term: t('policy'), value: versions('version', { version: request.policyVersion }) },
    { term: t('tenant'), value: <VisibleText text={request.tenantName} /> },
    {
      term: t('exception'),
      wide: true,
      value: (
        <span className="flex flex-wrap items-center gap-x-3">
          <KindBadge kind={request.exception.kind} />
          <Link
            href={`/exceptions/${request.exception.exceptionId}`}
            className="text-accent underline underline-offset-3"
          >
            {t('openException')}
          </Link>
        </span>
      ),
    },
  ];
}
