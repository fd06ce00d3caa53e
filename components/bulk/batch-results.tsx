'use client';

import { CircleCheck, CircleDashed, CircleHelp, CircleX } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { tallyOf } from '@/lib/domain/bulk-acts';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { useRefusalText } from '../decision/refusal-text';
import { KindBadge } from '../exception/kind-badge';
import { OperationAndKey } from '../execution/operation-and-key';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { Spinner } from '../ui/spinner';
import { StepFooter } from './step-footer';
import { type Batch } from './use-batch';

interface BatchResultsProps {
  batch: Batch;
  running: boolean;
  onAgain: () => void;
}

/** What became of each row, from its own answer; every row is in the list and in exactly one of the figures. */
export function BatchResults({ batch, running, onAgain }: BatchResultsProps) {
  const t = useTranslations('queue.bulk');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  const top = useRef<HTMLDivElement>(null);
  const tally = tallyOf(batch.items.map((item) => item.answer));
  const total = batch.items.length;
  const isOpen = !running && tally.unknown + tally.waiting > 0;
  // The form that was here had the focus.
  useEffect(() => top.current?.focus(), []);
  return (
    <>
      <div ref={top} tabIndex={-1} role="status" className="mb-3 flex flex-col gap-2 outline-none">
        {running ? (
          <Spinner label={t('progress', { answered: total - tally.waiting, total })} />
        ) : (
          <p className="text-sm font-medium">{t('tally', { ...tally })}</p>
        )}
        {batch.refused !== null && (
          <Notice tone="danger" title={t('wholeRefused')}>
            {refusalText(batch.refused.code, batch.refused)}
          </Notice>
        )}
        {isOpen && batch.refused === null && <Notice tone="caution">{t('lost')}</Notice>}
      </div>
      <ul aria-label={t('perRow')} className="flex flex-col">
        {batch.items.map((item) => (
          <li
            key={item.operationId}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line py-2 last:border-b-0"
          >
            <Link
              href={`/exceptions/${item.exceptionId}`}
              prefetch={false}
              className="min-w-0 flex-1 basis-48 hover:underline"
            >
              <OperationAndKey
                operation={item.operation}
                idempotencyKey={item.idempotencyKey}
                withoutKey={t('withoutKey')}
                aside={<KindBadge kind={item.kind} className="text-xs" />}
              />
            </Link>
            <span className="max-w-full sm:max-w-[55%]">
              <RowAnswer answer={item.answer} running={running} />
            </span>
          </li>
        ))}
      </ul>
      {isOpen && batch.refused === null && (
        <StepFooter>
          <Button look="primary" onClick={onAgain}>
            {t('again', { count: tally.unknown + tally.waiting })}
          </Button>
        </StepFooter>
      )}
    </>
  );
}

function RowAnswer({ answer, running }: { answer: CommandAnswer | null; running: boolean }) {
  const t = useTranslations('queue.bulk.answer');
  const refusalText = useRefusalText({ roles: ['OPERATOR', 'APPROVER'] });
  if (answer === null)
    return (
      <Badge icon={CircleDashed} look="plain">
        {t(running ? 'sending' : 'waiting')}
      </Badge>
    );
  switch (answer.outcome) {
    case 'done':
    case 'requested':
      return (
        <Badge icon={CircleCheck} tone="confirmed" look="plain">
          {t(answer.repeated ? 'repeated' : 'done')}
        </Badge>
      );
    case 'refused':
      return (
        <Badge icon={CircleX} tone="danger" look="plain">
          {t('refused')} {refusalText(answer.code, answer)}
        </Badge>
      );
    case 'unknown':
      return (
        <Badge icon={CircleHelp} tone="caution" look="plain">
          {t('unknown')}
        </Badge>
      );
    default: {
      const impossible: never = answer;
      throw new Error(`bug: unknown answer ${JSON.stringify(impossible)}`);
    }
  }
}
