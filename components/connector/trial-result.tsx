'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode } from 'react';
import { type TrialAnswer, type TrialFinding, type TrialRequest } from '@/lib/domain/connector-view';
import { visibleText } from '@/lib/domain/visible-text';
import { useRefusalText } from '../decision/refusal-text';
import { CandidatesTable } from '../evidence/candidates-table';
import { Comparison } from '../evidence/comparison';
import { ErrorText } from '../evidence/error-text';
import { OutsideLink } from '../evidence/outside-link';
import { VerdictBadge } from '../exception/verdict-badge';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { Instant } from '../time/instant';
import { FactList } from '../ui/fact-list';
import { Notice } from '../ui/notice';

/** What a try came to: the request, and what the answer would be taken for. */
export function TrialResult({ answer, outdated }: { answer: TrialAnswer; outdated: boolean }) {
  const t = useTranslations('connectors.trial');
  const refusalText = useRefusalText({ roles: ['ADMIN'] });
  if (answer.outcome === 'unknown') return <Notice tone="caution">{t('unknown')}</Notice>;
  if (answer.outcome === 'refused')
    return (
      <Notice tone="danger" title={t('refused')}>
        {refusalText(answer.code)}
      </Notice>
    );
  const { execution, request, fault, missing, withheld, found } = answer;
  const names = (secrets: readonly string[]) => secrets.map((name) => `SECRET_${name}`).join(', ');
  return (
    <div className="flex flex-col gap-3.5 border-t border-line pt-3.5 text-sm">
      {outdated && <Notice tone="quiet">{t('outdated')}</Notice>}
      {execution !== null && (
        <p className="text-xs [overflow-wrap:anywhere] text-ink-muted">
          {t('of', { operation: execution.operation, key: visibleText(execution.key) })}
        </p>
      )}
      {request !== null && <RequestText request={request} sent={found !== null} />}
      {fault !== null && (
        <Notice tone="caution" title={t('nothingSent')}>
          <ErrorText errorClass={fault} system={null} />
        </Notice>
      )}
      {missing.length > 0 && <Notice tone="caution">{t('missing', { names: names(missing) })}</Notice>}
      {withheld.length > 0 && <Notice tone="caution">{t('withheld', { names: names(withheld) })}</Notice>}
      {found !== null && <FoundText {...found} />}
    </div>
  );
}

function RequestText({ request, sent }: { request: TrialRequest; sent: boolean }) {
  const t = useTranslations('connectors.trial');
  return (
    <section aria-label={t(sent ? 'sent' : 'request')} className="flex flex-col gap-1.5">
      <h3 className="text-xs font-semibold">{t(sent ? 'sent' : 'request')}</h3>
      <div className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2 font-mono text-xs">
        <p>
          {request.method} <VisibleText text={request.url} />
        </p>
        {request.headers.map(({ name, value, secrets }) => (
          <p key={name}>
            {name}: <VisibleText text={value} />
            {secrets.map((secret) => (
              <span key={secret} className="ml-2 font-sans text-ink-muted">
                {t('secret', { name: secret })}
              </span>
            ))}
          </p>
        ))}
        {request.statement !== null && (
          <>
            <p className="whitespace-pre-wrap">
              <VisibleText text={request.statement.sql} />
            </p>
            {request.statement.parameters.map((parameter, index) => (
              <p key={index}>
                ${index + 1} = <VisibleText text={parameter} />
              </p>
            ))}
          </>
        )}
      </div>
    </section>
  );
}

function FoundText({ finding, verdict, usableFrom, durationMs }: TrialFinding): ReactNode {
  const t = useTranslations('connectors.trial');
  const tLookup = useTranslations('lookup');
  const result = finding.resultId === null ? null : <KeyText value={finding.resultId} />;
  const facts = [
    { term: t('verdict'), value: <VerdictBadge verdict={verdict} /> },
    ...(result === null
      ? []
      : [
          {
            term: tLookup('resultId'),
            value:
              finding.resultUrl === null ? (
                result
              ) : (
                <OutsideLink href={finding.resultUrl}>{result}</OutsideLink>
              ),
          },
        ]),
    ...(finding.externalStatus === null
      ? []
      : [{ term: tLookup('externalStatus'), value: tLookup(`status.${finding.externalStatus}`) }]),
    ...(finding.targetAccount === null
      ? []
      : [{ term: tLookup('account'), value: <VisibleText text={finding.targetAccount} /> }]),
  ];
  return (
    <section aria-label={t('answer')} className="flex flex-col gap-2.5">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-xs font-semibold">
        {t('answer')}
        {durationMs !== null && (
          <span className="font-normal text-ink-muted">{tLookup('tookMs', { count: durationMs })}</span>
        )}
      </h3>
      <p className="text-base font-semibold">{tLookup(`outcome.${finding.outcome}`)}</p>
      {finding.errorClass !== null && (
        <p>
          <ErrorText errorClass={finding.errorClass} system={null} />
        </p>
      )}
      {finding.matches !== null && <p>{t('matches', { count: finding.matches })}</p>}
      <FactList facts={facts} absent="" className="sm:grid-cols-2" />
      {finding.outcome === 'MULTIPLE' ? (
        <CandidatesTable candidates={finding.candidates} />
      ) : (
        <Comparison lines={finding.comparison} />
      )}
      {finding.outcome === 'NOT_FOUND' && (
        <p className="text-xs text-ink-muted">
          {t.rich('notYet', { time: () => <Instant at={usableFrom} look="full" /> })}
        </p>
      )}
    </section>
  );
}
