'use client';

import { useCallback, useRef, useState } from 'react';
import { BULK_SLICE, type BulkAct, type BulkAnswer } from '@/lib/domain/bulk-acts';
import { type CommandAnswer } from '@/lib/domain/command-answer';
import { type ExceptionKind } from '@/lib/domain/exception-kinds';
import { SHOWN_TO } from '@/lib/domain/shown-to';
import { useShownTo } from '../access/own-account';
import { useReadAnew } from '../shell/read-anew';

export type BulkAction = (input: Readonly<Record<string, unknown>>) => Promise<BulkAnswer>;

/** What every row of the batch is sent with. */
export type BulkRequest = Readonly<Record<string, unknown>> & { readonly act: BulkAct };

/** One row of a batch, named for people, and what the server is sent of it besides the operation id. */
export interface BatchRow {
  readonly exceptionId: string;
  readonly kind: ExceptionKind;
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface BatchItem extends BatchRow {
  readonly operationId: string;
  /** Null: not sent. */
  readonly answer: CommandAnswer | null;
}

export interface Batch {
  readonly request: BulkRequest;
  readonly operationId: string;
  readonly items: readonly BatchItem[];
  /** The batch as a whole was refused: nothing of it that was not answered before has happened. */
  readonly refused: Extract<BulkAnswer, { outcome: 'refused' }> | null;
}

const isOpen = ({ answer }: BatchItem) => answer === null || answer.outcome === 'unknown';

/**
 * Sends a batch slice by slice and keeps each row's answer. The operation ids are made once: what was lost is sent again
 * under the same ones, and is decided once.
 */
export function useBatch(action: BulkAction) {
  const shownTo = useShownTo();
  const { readUntilAnswered } = useReadAnew();
  const [batch, setBatch] = useState<Batch | null>(null);
  const [running, setRunning] = useState(false);
  const busy = useRef(false);

  const send = useCallback(
    async (first: Batch): Promise<Batch> => {
      if (busy.current) return first;
      busy.current = true;
      setRunning(true);
      let present: Batch = { ...first, refused: null };
      setBatch(present);
      const due = present.items.filter(isOpen);
      for (let from = 0; from < due.length; from += BULK_SLICE) {
        const only = due.slice(from, from + BULK_SLICE).map((item) => item.operationId);
        const answer = await answerOf(action({ ...inputOf(present, only), [SHOWN_TO]: shownTo }));
        present = withAnswer(present, only, answer);
        setBatch(present);
        // The rest is not sent: a person sees first what happened to these.
        if (answer === null || answer.outcome === 'refused') break;
      }
      busy.current = false;
      setRunning(false);
      void readUntilAnswered();
      return present;
    },
    [action, shownTo, readUntilAnswered],
  );
  const start = useCallback(
    (request: BulkRequest, rows: readonly BatchRow[]) =>
      send({
        request,
        operationId: crypto.randomUUID(),
        items: rows.map((row) => ({ ...row, operationId: crypto.randomUUID(), answer: null })),
        refused: null,
      }),
    [send],
  );
  return { batch, running, start, again: send };
}

const inputOf = ({ request, operationId, items }: Batch, only: readonly string[]) => ({
  ...request,
  operationId,
  only,
  rows: items.map(({ input, exceptionId, operationId: id }) => ({ ...input, exceptionId, operationId: id })),
});

function withAnswer(batch: Batch, only: readonly string[], answer: BulkAnswer | null): Batch {
  if (answer?.outcome === 'refused') return { ...batch, refused: answer };
  const items = batch.items.map((item) => {
    if (!only.includes(item.operationId)) return item;
    const own = answer?.rows.find((row) => row.operationId === item.operationId);
    return { ...item, answer: own?.answer ?? ({ outcome: 'unknown' } as const) };
  });
  return { ...batch, items };
}

/** Null: lost. Whether these rows happened is not known yet. */
async function answerOf(asked: Promise<BulkAnswer>): Promise<BulkAnswer | null> {
  try {
    return await asked;
  } catch {
    return null;
  }
}
