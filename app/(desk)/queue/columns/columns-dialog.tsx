'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { CommandNotice } from '@/components/decision/command-notice';
import { useWish } from '@/components/notification/use-wish';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import {
  isDefaultChoice,
  isLasting,
  movedColumn,
  QUEUE_COLUMNS,
  type QueueColumn,
} from '@/lib/domain/queue-columns';
import { useQueueAddress } from '../use-queue-address';
import { type ColumnsProps } from './columns-props';

/** Which columns the table shows, and in which order; kept when it is saved. */
export function ColumnsDialog({ columns, choose, onClose }: ColumnsProps & { onClose: () => void }) {
  const t = useTranslations('queue.columns');
  const title = useTranslations('queue.column');
  const { address, change } = useQueueAddress();
  const { state, send, pending } = useWish(choose);
  const chosen = columns ?? QUEUE_COLUMNS;
  const [order, setOrder] = useState<readonly QueueColumn[]>(() => [
    ...chosen,
    ...QUEUE_COLUMNS.filter((column) => !chosen.includes(column)),
  ]);
  const [shown, setShown] = useState<ReadonlySet<QueueColumn>>(() => new Set(chosen));
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<string | null>(null);
  // A row that was moved is put elsewhere, and its button would lose the keyboard.
  useEffect(() => {
    if (pressed.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-move="${pressed.current}"]`)?.focus();
    pressed.current = null;
  }, [order]);
  const move = (column: QueueColumn, by: -1 | 1) => {
    const next = movedColumn(order, column, by);
    pressed.current = `${column} ${by}`;
    setOrder(next);
    setSaid(t('moved', { column: title(column), place: next.indexOf(column) + 1, total: next.length }));
  };
  const toggle = (column: QueueColumn) =>
    setShown((now) => {
      const next = new Set(now);
      if (!next.delete(column)) next.add(column);
      return next;
    });
  const keep = async (wanted: readonly QueueColumn[] | null) => {
    const answer = await send({ columns: wanted === null || isDefaultChoice(wanted) ? null : wanted });
    if (answer.outcome !== 'done') return;
    // An opened view's columns would hide what was just chosen.
    if (address.columns !== null) change({ columns: null });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('title')}
      description={t('lead')}
      footer={
        <>
          <Button onClick={() => void keep(null)} pending={pending}>
            {t('reset')}
          </Button>
          <Button
            look="primary"
            pending={pending}
            onClick={() => void keep(order.filter((column) => shown.has(column)))}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <CommandNotice state={state} />
      <p role="status" className="sr-only">
        {said}
      </p>
      <ol ref={list} aria-label={t('list')} className="flex flex-col rounded-md border border-line">
        {order.map((column, place) => (
          <li
            key={column}
            className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-sm last:border-b-0"
          >
            <label className="flex min-w-0 flex-1 items-center gap-2">
              <input
                type="checkbox"
                aria-label={t('show', { column: title(column) })}
                checked={shown.has(column)}
                disabled={isLasting(column)}
                onChange={() => toggle(column)}
                className="size-4 accent-accent-strong"
              />
              {title(column)}
              {isLasting(column) && <span className="text-xs text-ink-muted">{t('always')}</span>}
            </label>
            <Button
              size="icon"
              look="ghost"
              data-move={`${column} -1`}
              aria-label={t('up', { column: title(column) })}
              disabledReason={place === 0 ? t('first') : undefined}
              onClick={() => move(column, -1)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              size="icon"
              look="ghost"
              data-move={`${column} 1`}
              aria-label={t('down', { column: title(column) })}
              disabledReason={place === order.length - 1 ? t('last') : undefined}
              onClick={() => move(column, 1)}
            >
              <ArrowDown aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
