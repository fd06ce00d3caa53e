import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type ExceptionView, type ExecutionFacts } from '@/lib/domain/exception-view';
import { BusinessView } from '../execution/business-view';
import { TargetText } from '../execution/target-text';
import { jsonText } from '../text/json-text';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList, type Fact } from '../ui/fact-list';
import { Panel } from '../ui/panel';

/** The record's own facts, every one that a decision could turn on. */
export function FactsPanel({ view }: { view: ExceptionView }) {
  const t = useTranslations('exception.facts');
  const common = useTranslations('common');
  const { exception, execution, policy } = view;
  const facts: Fact[] = [
    ...(execution === null ? [] : executionFacts(t, execution, view)),
    { term: t('tenant'), value: <VisibleText text={exception.tenantName} /> },
    { term: t('opened'), value: <Instant at={exception.openedAt} look="full" /> },
    {
      term: t('policy'),
      value: t(policy.own ? 'policyOwn' : 'policyDefault', { version: policy.version }),
    },
  ];
  return (
    <Panel title={t('title')}>
      <FactList facts={facts} absent={common('state.notGiven')} className="sm:grid-cols-2" />
      {execution !== null && (
        <p className="mt-3 text-sm">
          <Link
            href={`/executions/${execution.executionId}`}
            className="text-accent underline underline-offset-3"
          >
            {t('openExecution')}
          </Link>
        </p>
      )}
    </Panel>
  );
}

type FactWords = ReturnType<typeof useTranslations<'exception.facts'>>;

const key = (value: string | null) => (value === null ? null : <KeyText value={value} />);
const text = (value: string | null) => (value === null ? null : <VisibleText text={value} />);
const instant = (at: string | null) => (at === null ? null : <Instant at={at} look="full" />);

function executionFacts(t: FactWords, execution: ExecutionFacts, view: ExceptionView): Fact[] {
  const { now } = view;
  const step = view.exception.state === 'OPEN' ? view.nextStep : null;
  const lease = execution.leaseExpiresAt;
  const always: Fact[] = [
    {
      term: t('view'),
      wide: true,
      value: (
        <BusinessView
          state={execution.state}
          before={execution.expiredFrom}
          noEffectProven={execution.failureBasis !== null}
          superseded={execution.superseded}
          attemptsLeft={execution.attemptsSpent < execution.attemptsAllowed}
          step={step}
        />
      ),
    },
    { term: t('requestId'), value: key(execution.requestId) },
    {
      term: t('target'),
      value:
        execution.targetSystem === null && execution.targetAccount === null ? null : (
          <TargetText system={execution.targetSystem} account={execution.targetAccount} />
        ),
    },
    { term: t('owner'), value: text(execution.owner) },
    {
      term: t('lease'),
      value:
        lease === null
          ? null
          : t.rich(lease > now ? 'leaseUntil' : 'leaseOver', {
              time: () => <Instant at={lease} look="full" />,
            }),
    },
    {
      term: t('effectStarted'),
      value: instant(execution.effectStartedAt) ?? effectBefore(t, view),
    },
    {
      term: t('attempts'),
      value: t('attemptsOf', { spent: execution.attemptsSpent, allowed: execution.attemptsAllowed }),
    },
    { term: t('businessRef'), value: key(execution.businessRef) },
    { term: t('contentVersion'), value: text(execution.contentVersion) },
  ];
  const given: Fact[] = [
    { term: t('resultId'), value: key(execution.resultId) },
    { term: t('reported'), value: key(execution.reportedResultId) },
    {
      term: t('failure'),
      wide: true,
      value: text([execution.failureCode, execution.failureMessage].filter(Boolean).join(': ') || null),
    },
    { term: t('failureCondition'), wide: true, value: text(execution.failureCondition) },
    { term: t('externalKey'), value: key(execution.externalRequestKey) },
    { term: t('externalJob'), value: key(execution.externalJobId) },
    { term: t('progress'), value: text(jsonText(execution.progress)) },
    { term: t('approvalRef'), value: text(jsonText(execution.approvalRef)), wide: true },
    { term: t('deadline'), value: instant(execution.deadline) },
    { term: t('extended'), value: instant(execution.extendedUntil) },
  ];
  const last: Fact[] = [
    { term: t('fencing'), value: execution.fencingToken },
    { term: t('expires'), value: instant(execution.expiresAt) },
    { term: t('fingerprint'), value: key(execution.fingerprint), wide: true },
  ];
  return [...always, ...given.filter((fact) => fact.value !== null), ...last];
}

/** The present attempt has announced no effect; an earlier one may have. */
function effectBefore(t: FactWords, { attempts }: ExceptionView): ReactNode {
  const started = attempts.findLast((attempt) => attempt.effectStartedAt !== null);
  if (started === undefined) return t('effectNever');
  return t.rich('effectBefore', {
    number: started.attempt,
    time: () => <Instant at={started.effectStartedAt ?? ''} look="full" />,
  });
}
