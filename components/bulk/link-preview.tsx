'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { type LinkCandidate, type LinkPreview as Preview } from '@/lib/domain/bulk-acts';
import { useRefusalText } from '../decision/refusal-text';
import { Comparison } from '../evidence/comparison';
import { OutsideLink } from '../evidence/outside-link';
import { OperationAndKey } from '../execution/operation-and-key';
import { KeyText } from '../text/key-text';
import { Instant } from '../time/instant';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Spinner } from '../ui/spinner';
import { nameOfRow } from './selection';
import { StepFooter } from './step-footer';
import { type BatchRow } from './use-batch';

interface LinkPreviewProps {
  exceptionIds: readonly string[];
  preview: (exceptionIds: readonly string[]) => Promise<Preview>;
  onLink: (rows: readonly BatchRow[]) => void;
}

/** Every selected exception before anything is linked: what was found and how it compares, or why it is left out. */
export function LinkPreview({ exceptionIds, preview, onLink }: LinkPreviewProps) {
  const t = useTranslations('queue.bulk.preview');
  const refusalText = useRefusalText();
  // The selection of the moment when the dialog opened: the list behind it may be read anew.
  const [ids] = useState(exceptionIds);
  const [read, setRead] = useState<Preview | 'reading' | 'failed'>('reading');
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let gone = false;
    const show = (next: Preview | 'failed') => {
      if (!gone) setRead(next);
    };
    preview(ids).then(show, () => show('failed'));
    return () => {
      gone = true;
    };
  }, [preview, ids, tries]);
  const readAgain = () => {
    setRead('reading');
    setTries((now) => now + 1);
  };
  if (read === 'reading') return <Spinner label={t('reading')} />;
  if (read === 'failed' || read.outcome === 'refused')
    return (
      <Notice
        tone="danger"
        role="alert"
        title={t('failed')}
        action={
          <Button size="sm" onClick={readAgain}>
            {t('readAgain')}
          </Button>
        }
      >
        {read !== 'failed' && refusalText(read.code, read)}
      </Notice>
    );
  return <Candidates rows={read.rows} onLink={onLink} />;
}

function Candidates({
  rows,
  onLink,
}: {
  rows: readonly LinkCandidate[];
  onLink: LinkPreviewProps['onLink'];
}) {
  const t = useTranslations('queue.bulk.preview');
  const refusalText = useRefusalText();
  const conclusive = rows.filter((row) => row.leftOut === null);
  const leftOut = rows.filter((row) => row.leftOut !== null);
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const chosen = conclusive.filter((row) => !skipped.includes(row.exceptionId));
  const toggle = (id: string) =>
    setSkipped((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]));
  return (
    <div className="flex flex-col gap-4">
      <section aria-label={t('conclusive', { count: conclusive.length })}>
        <h3 className="mb-1 text-sm font-semibold">{t('conclusive', { count: conclusive.length })}</h3>
        {conclusive.length === 0 && <p className="text-sm text-ink-muted">{t('none')}</p>}
        <ul className="flex flex-col">
          {conclusive.map((row) => (
            <li
              key={row.exceptionId}
              className="flex items-start gap-3 border-b border-line py-2.5 last:border-b-0"
            >
              <label className="inline-flex shrink-0 p-1 max-md:p-2.5">
                <input
                  type="checkbox"
                  aria-label={t('choose', { what: nameOf(row) })}
                  checked={!skipped.includes(row.exceptionId)}
                  onChange={() => toggle(row.exceptionId)}
                  className="size-4 accent-accent-strong"
                />
              </label>
              <Candidate row={row} />
            </li>
          ))}
        </ul>
      </section>
      {leftOut.length > 0 && (
        <section aria-label={t('leftOut', { count: leftOut.length })}>
          <h3 className="text-sm font-semibold">{t('leftOut', { count: leftOut.length })}</h3>
          <ul className="flex flex-col">
            {leftOut.map((row) => (
              <li key={row.exceptionId} className="border-b border-line py-2.5 last:border-b-0">
                <Candidate row={row} />
                <p className="mt-1 text-sm text-caution">
                  {row.leftOut !== null && refusalText(row.leftOut)}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <StepFooter>
        <Button
          look="primary"
          disabledReason={chosen.length === 0 ? t('none') : undefined}
          onClick={() => onLink(chosen.map(batchRow))}
        >
          {t('link', { count: chosen.length })}
        </Button>
      </StepFooter>
    </div>
  );
}

const nameOf = ({ operation, key }: LinkCandidate) => nameOfRow({ operation, idempotencyKey: key });

const batchRow = (row: LinkCandidate): BatchRow => ({
  exceptionId: row.exceptionId,
  kind: row.kind,
  operation: row.operation,
  idempotencyKey: row.key,
  input: {
    exceptionVersion: row.exceptionVersion,
    executionVersion: row.executionVersion,
    evidenceId: row.found?.evidenceId,
    lookAgain: row.lookAgain,
  },
});

function Candidate({ row }: { row: LinkCandidate }) {
  const t = useTranslations('queue.bulk');
  const tLookup = useTranslations('lookup');
  const { found } = row;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5">
      <OperationAndKey operation={row.operation} idempotencyKey={row.key} withoutKey={t('withoutKey')} />
      {found === null ? (
        <p className="text-xs text-ink-muted">{t('preview.notLooked')}</p>
      ) : (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="text-ink-muted">{t('preview.found')}:</span>
            {found.resultId === null ? (
              t('preview.noResult')
            ) : found.resultUrl === null ? (
              <KeyText value={found.resultId} />
            ) : (
              <OutsideLink href={found.resultUrl}>
                <KeyText value={found.resultId} />
              </OutsideLink>
            )}
            {found.externalStatus !== null && <span>{tLookup(`status.${found.externalStatus}`)}</span>}
            <span className="text-xs text-ink-muted">
              <Instant at={found.checkedAt} look="ago" />
            </span>
          </p>
          {found.comparison.length > 0 && <Comparison lines={found.comparison} />}
        </>
      )}
      {row.lookAgain && row.leftOut === null && (
        <p className="text-xs text-ink-muted">{t('preview.lookAgain')}</p>
      )}
    </div>
  );
}
