'use client';

import { useTranslations } from 'next-intl';
import { type ExecutionRecord } from '@/lib/domain/execution-view';
import { jsonText } from '../text/json-text';
import { KeyText } from '../text/key-text';
import { VisibleText } from '../text/visible-text';
import { useNow } from '../time/clock';
import { Instant } from '../time/instant';
import { CopyButton } from '../ui/copy-button';
import { FactList } from '../ui/fact-list';
import { ExplainedProtection } from './protection-text';
import { TargetText } from './target-text';

/** The ledger's facts of one record. */
export function RecordFacts({ record }: { record: ExecutionRecord }) {
  const t = useTranslations('executions.detail');
  const words = useTranslations('glossary');
  const absent = useTranslations('common.state')('notGiven');
  const versions = useTranslations('common.policy');
  const text = (value: string | null) => (value === null ? null : <VisibleText text={value} />);
  const key = (value: string | null, what: string) =>
    value === null ? null : (
      <span className="inline-flex max-w-full items-center gap-1">
        <KeyText value={value} />
        <CopyButton text={value} what={what} />
      </span>
    );
  return (
    <FactList
      absent={absent}
      facts={[
        { term: t('key'), value: key(record.key, t('key')), wide: true },
        { term: t('operation'), value: text(record.operation) },
        { term: t('principal'), value: text(record.principalName) },
        { term: t('tenant'), value: text(record.tenantName) },
        { term: t('requestId'), value: key(record.requestId, t('requestId')) },
        {
          term: t('target'),
          value:
            record.targetSystem === null && record.targetAccount === null ? null : (
              <TargetText system={record.targetSystem} account={record.targetAccount} />
            ),
        },
        { term: t('businessRef'), value: text(record.businessRef) },
        { term: t('contentVersion'), value: text(record.contentVersion) },
        {
          term: t('externalRequestKey'),
          value: record.externalRequestKey === null ? null : <KeyText value={record.externalRequestKey} />,
        },
        {
          term: t('externalJobId'),
          value: record.externalJobId === null ? null : <KeyText value={record.externalJobId} />,
        },
        { term: t('progress'), value: text(jsonText(record.progress)) },
        {
          term: t('protection'),
          value: (
            <>
              <ExplainedProtection of={record} /> · {words(`effectClass.${record.effectClass}`)}
            </>
          ),
        },
        { term: t('created'), value: <Instant at={record.createdAt} look="full" className="tabular" /> },
        { term: t('expires'), value: <Instant at={record.expiresAt} look="full" className="tabular" /> },
        { term: t('policyVersion'), value: versions('version', { version: record.policyVersion }) },
        {
          term: t('fingerprint'),
          value: <KeyText value={record.fingerprint} className="text-xs" />,
          wide: true,
        },
      ]}
    />
  );
}

/** Who holds it and until when. */
export function LeaseFacts({ record }: { record: ExecutionRecord }) {
  const t = useTranslations('executions.detail');
  const absent = useTranslations('common.state')('none');
  const now = useNow(5_000);
  const over = record.leaseExpiresAt !== null && new Date(record.leaseExpiresAt).getTime() <= now;
  return (
    <FactList
      absent={absent}
      className="sm:grid-cols-2"
      facts={[
        {
          term: t('owner'),
          value: record.owner === null ? null : <VisibleText text={record.owner} />,
          wide: true,
        },
        {
          term: t('lease'),
          value:
            record.leaseExpiresAt === null ? null : (
              <>
                <Instant at={record.leaseExpiresAt} look="full" className="tabular" />
                {over && <span className="block text-xs font-medium text-caution">{t('leaseOver')}</span>}
              </>
            ),
        },
        {
          term: t('effectStarted'),
          value:
            record.effectStartedAt === null ? (
              t('notStarted')
            ) : (
              <Instant at={record.effectStartedAt} look="full" className="tabular" />
            ),
        },
        { term: t('fencing'), value: <span className="tabular">{record.fencingToken}</span> },
      ]}
    />
  );
}
